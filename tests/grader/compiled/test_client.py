"""Asking for a compiled kernel: answers, refusals, and the real compiler if it is here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.compiled import (
    ARCHITECTURES,
    ArchitectureReport,
    CompileFailed,
    CompilerReport,
    KernelCompiler,
    LineInstructions,
    client,
    find_architectures,
    is_installed,
    parts,
    worker,
)
from grader.compiled.client import check_compiled
from grader.compiled.messages import CompileReply, CompileRequest
from grader.facts import fact, quote
from grader.process import Process
from grader.wire import Malformed, decode_reply, encode_reply
from tests.sentences import expect_error

SOURCE = """\
from numba import cuda


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + a[i]
"""
ARGUMENTS = (("float32", 1), ("float32", 1))
REPORT = ArchitectureReport("9.0", 14, 0, 0, 0, 0, 8, 1.0, "threads")
FOUND = CompilerReport(
    "compiler 1", (REPORT,), "9.0", (LineInstructions(8, {"fp32": 1, "integer": 4}, {}),)
)
REQUEST = CompileRequest(
    source=SOURCE, kernel="double", arguments=ARGUMENTS, threads=128, dynamic=0,
    capabilities=("9.0",), disassembled="9.0",
)  # fmt: skip
real = pytest.mark.skipif(not is_installed(), reason="needs the extra `compile`")


def test_an_answer_survives_the_wire():
    reply = CompileReply(id=1, compiled=FOUND)
    assert decode_reply(encode_reply(reply), CompileReply, 1) == reply


@pytest.mark.parametrize(
    "wrong",
    [
        replace(FOUND, architectures=(replace(REPORT, capability="8.0"),)),
        replace(FOUND, disassembled="8.0"),
        replace(FOUND, lines=(LineInstructions(10, {"fp32": 1}, {}),)),
        replace(FOUND, lines=(LineInstructions(8, {"fp32": 1}, {"fp32": 2}),)),
        replace(FOUND, lines=(LineInstructions(8, {}, {"integer": 1}),)),
    ],
)
def test_an_answer_that_does_not_fit_the_request_is_refused(wrong):
    check_compiled(FOUND, REQUEST)
    with pytest.raises(Malformed):
        check_compiled(wrong, REQUEST)


@pytest.fixture
def answering(monkeypatch):
    """The process answers this, whatever it is asked."""

    def set_answer(reply: CompileReply) -> KernelCompiler:
        monkeypatch.setattr(client, "is_installed", lambda *_: True)
        monkeypatch.setattr(Process, "ask", lambda *_: reply)
        return KernelCompiler()

    return set_answer


def ask(compiler: KernelCompiler, source: str = SOURCE) -> CompilerReport:
    with compiler:
        return compiler.compile(source, "double", ARGUMENTS, 128, capabilities=("9.0",))


def test_what_the_process_says_is_the_answer(answering):
    assert ask(answering(CompileReply(compiled=FOUND))) == FOUND


def test_what_the_compiler_rejects_is_told(answering):
    with expect_error(CompileFailed, "the compiler rejected it: TypingError: no such thing"):
        ask(answering(CompileReply(refused=quote("TypingError: no such thing"))))


@pytest.mark.skipif(not is_installed("cuda"), reason="needs the extra `compile`")
def test_cuda_is_compiled_by_nvrtc_and_its_lines_are_those_of_the_text():
    text = """template <int N> __global__ void scale(const float* a, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = N * a[i];
}
"""
    with KernelCompiler() as compiler:
        found = compiler.compile(
            text, "scale<3>", ARGUMENTS, 128, capabilities=("8.0", "9.0"), language="cuda"
        )
        with expect_error(CompileFailed, 'identifier "b" is undefined'):
            compiler.compile(
                text.replace("a[i]", "b[i]"), "scale<3>", ARGUMENTS, 128, language="cuda"
            )
    assert "nvrtc" in found.compiler
    assert {report.capability for report in found.architectures} == {"8.0", "9.0"}
    (line,) = [line for line in found.lines if line.line == 5]
    assert (line.counts["global-load"], line.counts["global-store"]) == (1, 1)


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (".target sm_80", ARCHITECTURES[1:]), (".target sm_89", ARCHITECTURES[3:]),
        (".target sm_90a", ("9.0",)), (".target sm_103a", ()), ("", ()),
    ],
)  # fmt: skip
def test_ptx_is_for_its_target_and_what_is_later(target, found):
    assert find_architectures(f".version 8.7\n{target}\n") == found


@real
def test_of_a_text_in_ptx_the_kernel_that_is_meant_is_reported():
    text = Path("tests/data/ptx/examples.ptx").read_text("utf-8")
    with KernelCompiler() as compiler:
        products, pipeline = (
            compiler.compile(text, name, (), 128, capabilities=("9.0",), language="ptx").main
            for name in ("products", "pipeline")
        )
        with expect_error(CompileFailed, "ptxas"):
            compiler.compile(
                text, "sums", (), 32, capabilities=("8.0",), disassembled="8.0", language="ptx"
            )
    assert products.registers != pipeline.registers


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (
            AttributeError("'JITCUDACodegen' has no…"),
            fact("compile.internal", name="AttributeError"),
        ),
        (ValueError("no such type\nat line 3"), quote("ValueError: no such type at line 3")),
    ],
)
def test_an_error_of_the_compiler_s_own_code_is_not_quoted(error, why, monkeypatch):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(worker, "NumbaCompiler", fail)
    assert worker._CompileWorker().answer(REQUEST).refused == why


@pytest.mark.parametrize("reply", [CompileReply(), CompileReply(compiled=replace(FOUND, lines=(
    LineInstructions(99, {}, {}),)))])  # fmt: skip
def test_an_impossible_answer_is_not_believed(answering, reply):
    with pytest.raises(CompileFailed):
        ask(answering(reply))


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(client, "is_installed", lambda *_: False)
    with expect_error(CompileFailed, "the compiler is not installed"):
        ask(KernelCompiler())


@real
def test_a_kernel_for_every_architecture():
    with KernelCompiler() as compiler:
        found = compiler.compile(SOURCE, "double", ARGUMENTS, 128)
    assert tuple(report.capability for report in found.architectures) == ARCHITECTURES
    assert all(0 < report.registers < 40 for report in found.architectures)
    (line,) = (line for line in found.lines if line.line == 8)
    assert (line.counts["global-load"], line.counts["global-store"]) == (1, 1)


@real
def test_a_function_that_calls_itself_is_compiled():
    source = """\
from numba import cuda, float32 as kind


@cuda.jit
def fact(x):
    if x > 1:
        return x * fact(x - 1)
    return 1


@cuda.jit
def double(a, out):
    out[0] = kind(fact(out.size))
"""
    assert ask(KernelCompiler(), source).main.registers > 0


@real
def test_nothing_of_a_text_is_executed(tmp_path):
    marker = tmp_path / "ran"
    with KernelCompiler() as compiler, pytest.raises(CompileFailed):
        ask(compiler, f"open({str(marker)!r}, 'w')\n{SOURCE}")
    assert not marker.exists()


def test_it_is_there_only_with_linker_and_disassembler(monkeypatch, tmp_path):
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(parts, "find_spec", lambda _: spec)
    assert not parts.is_installed()
    for name in ("lib/libnvJitLink.so.13", "bin/nvdisasm"):
        with pytest.raises(FileNotFoundError):
            parts.disassembler()
        assert not parts.is_installed()
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    assert parts.is_installed()
    assert parts.disassembler() == tmp_path / "bin" / "nvdisasm"
