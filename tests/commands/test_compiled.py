"""What the compiler says, in `quiz grade` and `quiz profile --compile`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.compiled import (
    ArchitectureReport,
    CompileFailed,
    CompilerReport,
    KernelCompiler,
    LineInstructions,
)
from grader.facts import quote
from quizapp.domain.errors import ENVIRONMENT, OK
from tests.commands.program import ROOT
from tests.deck.tools import KERNEL_FILES, kernel_folder, question

SOLUTION = KERNEL_FILES["solution.py"]
SCRIPT = """\
import numpy as np
from numba import cuda

N = 3


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    for _ in range(N):
        out[i] += a[i] * 2


out = np.zeros(64, np.float32)
double[1, 64](np.ones(64, np.float32), out)
"""
REPORTS = tuple(
    ArchitectureReport(capability, registers, 0, 0, 4096, 0, 4, 0.5, "registers")
    for capability, registers in (("8.0", 40), ("9.0", 128))
)


@pytest.fixture
def compiled(monkeypatch):
    """The compiler answers this; what it was asked is kept."""
    asked: list[tuple] = []
    answer: list[CompilerReport | CompileFailed] = []

    def compile_kernel(_self, *given, **_options):
        asked.append(given)
        if isinstance(answer[0], CompileFailed):
            raise answer[0]
        return answer[0]

    monkeypatch.setattr("grader.compiled.is_installed", lambda *_: True)
    monkeypatch.setattr(KernelCompiler, "compile", compile_kernel)
    answer.append(answer_for(11))
    return asked, answer


def answer_for(line: int) -> CompilerReport:
    mix = {"integer": 9, "global-load": 1, "fp32": 2}
    return CompilerReport("compiler 1", REPORTS, "9.0", (LineInstructions(line, mix, mix),))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, "utf-8")
    return path


def test_a_script_s_kernels_are_compiled_as_they_stand(inside, script, compiled):
    said = inside("profile", script, "--compile")
    assert said.status == OK
    ((source, kernel, arguments, threads, dynamic),) = compiled[0]
    assert (kernel, arguments) == ("double", (("float32", 1), ("float32", 1)))
    assert (threads, dynamic) == (64, 0)
    lines = source.splitlines()
    assert lines[10] == SCRIPT.splitlines()[10]
    assert "N = 3" in lines
    assert "most of them are integer" in said.out
    assert "compiled: double, line 8" in said.out
    assert "64 threads per block; compiler 1" in said.out
    assert "line 11 is executed most; in the machine code, its loop has" in said.out
    (row,) = (line for line in said.out.splitlines() if line.startswith("9.0"))
    assert row.split()[1:4] == ["128", "4,096", "50%"]


PROGRAM = """\
#include <vector>
#define N 3
namespace ours {
template <typename T, int M>
__global__ void scale(const T *a, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < N; ++k)
        out[i] += a[i] * M;
}
}
__global__ void other(float *a) { a[0] = std::max(a[0], 1.0f); }
std::vector<float> make() { return std::vector<float>(64); }
"""


def test_a_kernel_in_cuda_cpp_is_compiled_without_host_code_and_other_kernels(
    inside, tmp_path, compiled
):
    path = tmp_path / "scale.cu"
    path.write_text(PROGRAM, "utf-8")
    asked = ("--grid", "1", "--block", "64", "--kernel", "scale<float, 2>")
    compiled[1][0] = answer_for(9)
    said = inside("profile", path, *asked, "--args", "f32[64]:ones, f32[64]:zeros", "--compile")
    assert said.status == OK
    ((source, entry, _, threads, dynamic),) = compiled[0]
    assert (entry, threads, dynamic) == ("ours::scale<float, 2>", 64, 0)
    lines = source.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith('#line 4 "<kernel>"'))
    assert " ".join(lines[start + 6].split()) == "out[i] += a[i] * M;"
    assert "3" in lines[start + 5]
    assert "other" not in source
    assert "vector" not in source
    assert "compiled: scale<float, 2>, line 5" in said.out
    assert "line 9 is executed most; in the machine code, its loop has" in said.out


def test_a_kernel_in_ptx_is_compiled_from_its_text(inside, compiled):
    path = ROOT / "tests/data/ptx/examples.ptx"
    launch = ("--kernel", "sums", "--grid", "1", "--block", "32")
    arguments = "param_0=f32[2048]:random, param_1=f32[2048], param_2=32"
    inside("profile", path, *launch, "--args", arguments, "--compile")
    ((text, *asked),) = compiled[0]
    assert text == path.read_text("utf-8")
    assert asked == ["sums", (), 32, 0]


def test_it_is_data_too(inside, script, compiled):
    said = inside("profile", script, "--compile", "--json")
    (found,) = json.loads(said.out)["compiled"]
    assert (found["kernel"], found["line"], found["block"]) == ("double", 8, [64, 1, 1])
    assert [one["registers"] for one in found["architectures"]] == [40, 128]
    assert [one["kind"] for one in found["reasons"]] == ["busiest"]


@pytest.mark.long
def test_it_is_in_the_last_of_the_lines_of_json(inside, script, compiled):
    *launches, rest = inside("profile", script, "--compile", "--json-lines").out.splitlines()
    assert len(launches) == 1
    assert [one["kernel"] for one in json.loads(rest)["compiled"]] == ["double"]


def test_a_kernel_that_cannot_be_compiled_says_why(inside, script, compiled):
    compiled[1][0] = CompileFailed(quote("TypingError: no"))
    said = inside("profile", script, "--compile")
    assert said.status == OK
    assert "· not compiled: TypingError: no" in said.out


@pytest.mark.long
def test_a_kernel_that_names_an_array_says_why(inside, script, compiled):
    script.write_text(
        SCRIPT.replace("N = 3", "T = np.arange(3)").replace("range(N)", "range(T[2])")
    )
    said = inside("profile", script, "--compile")
    assert compiled[0] == []
    assert "· not compiled: T is not a number, a type, or a device function" in said.out


@pytest.mark.parametrize("name", ["script.py", "kernel.cu"])
def test_without_the_extra_nothing_runs_and_one_line_says_what_to_install(
    inside, script, monkeypatch, name
):
    monkeypatch.setattr("grader.compiled.is_installed", lambda *_: False)
    script.with_name("kernel.cu").write_text(PROGRAM, "utf-8")
    said = inside("profile", script.with_name(name), "--compile")
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert "the compiler is not installed" in said.err
    assert "install gpu-quiz[compile]" in said.err


@pytest.fixture
def hand_in(inside, home, tmp_path):
    kernel_folder(home / "content", question("kernel"), path="mine/a-kernel")
    file = tmp_path / "mine.py"
    file.write_text(SOLUTION, "utf-8")
    return lambda *options: inside("grade", "mine/a-kernel", file, *options)


def test_a_kernel_that_passed_is_shown_compiled(hand_in, compiled):
    line = next(n for n, text in enumerate(SOLUTION.splitlines(), 1) if "2 * a[i]" in text)
    compiled[1][0] = answer_for(line)
    said = hand_in()
    assert said.status == OK
    assert f"line {line} is executed most" in said.out
    assert json.loads(hand_in("--json").out)["compiled"]["disassembled"] == "9.0"


def test_a_compiler_that_fails_takes_no_verdict_away(hand_in, compiled):
    compiled[1][0] = CompileFailed(quote("it ended"))
    said = hand_in("--json")
    assert said.status == OK
    assert json.loads(said.out)["compiled"] is None


def test_spills_and_double_precision_are_said(hand_in, compiled):
    spilled = replace(REPORTS[1], spill_stores=472, local=328)
    lines = (LineInstructions(3, {"local-store": 9, "fp64": 2}, {}),)
    compiled[1][0] = CompilerReport("compiler 1", (spilled,), "9.0", lines)
    said = hand_in()
    assert (
        "472 bytes of registers per thread are spilled to local memory, most in line 3" in said.out
    )
    assert "2 double-precision instructions, most in line 3" in said.out
