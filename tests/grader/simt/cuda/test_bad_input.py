"""What people write that is no CUDA C++, or not for a device: what is said of it, and where."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host import runner
from grader.simt.host.files.modules import SourceKernel
from grader.simt.host.files.sources import run_source
from grader.simt.host.session import Config, ScriptSession
from quizapp.report.words import Words

BODY = "{ a[threadIdx.x] = 1; }"
KERNEL = f"__global__ void k(float *a) {BODY}\n"
REFUSED = {
    # characters
    "a semicolon in full width": (KERNEL.replace("1;", "1@；"), "cpp.foreign-sign"),
    "a parenthesis in full width": (KERNEL.replace("k(", "k@（"), "cpp.foreign-sign"),
    "a comma in full width": (KERNEL.replace("*a", "*a@， int n"), "cpp.foreign-sign"),
    "marks of a word processor": (KERNEL.replace("a[", "printf(@“a”); a["), "cpp.foreign-sign"),
    "a blank that does not break": (KERNEL.replace("= 1", "=@\u00a0 1"), "cpp.foreign-blank"),
    "an invisible character": (KERNEL.replace("= 1", "=@\u200b 1"), "cpp.foreign"),
    "a string without an end": (
        '__global__ void k(float *a) {\n  printf(@"a); }\n', "cpp.quote-without-end",
    ),
    "a character without an end": (
        "__global__ void k(char *a) {\n  a[0] = @'x; }\n", "cpp.quote-without-end",
    ),
    # kernels
    "no type of the result": (KERNEL.replace("void ", "@"), "cpp.no-result"),
    "a member": ("struct S { __global__ static void @k(float *a) {} };", "cpp.kernel-member"),
    "a reference": ("__global__ void k(float &@b) { b = 1; }", "cpp.kernel-reference"),
    "a reference to what goes": ("__global__ void k(float &&@b) {}", "cpp.kernel-reference"),
    "any number of arguments": (
        "__global__ void k(float *a, @...) {}", "cpp.no-variable-arguments",
    ),
    # names of CUDA
    "a struct called float4": ("struct @float4 { int x; };\n" + KERNEL, "cpp.built-in"),
    "an alias called dim3": ("using @dim3 = int;\n" + KERNEL, "cpp.built-in"),
    "a variable called threadIdx": ("__device__ int @threadIdx;\n" + KERNEL, "cpp.built-in"),
    "threadIdx hidden by a number": (
        "__global__ void k(float *a) { int threadIdx = 0; a[threadIdx.@x] = 1; }",
        "cpp.not-a-struct",
    ),
    # macros
    "a macro called defined": ("#define @defined 1\n" + KERNEL, "cpp.macro-predefined"),
    "a line number taken away": ("#undef @__LINE__\n" + KERNEL, "cpp.macro-predefined"),
    # the host
    "a function of the host": (
        "int f(int x) { return x; }\n__global__ void k(float *a) { a[0] = @f(1); }",
        "cpp.host-function",
    ),
    "a variable of the host": ("int @n = 4;\n" + KERNEL.replace("1;", "n;"), "cpp.no-global"),
    "an allocation by a kernel": (
        "__global__ void k(float *a) { @cudaMalloc(&a, 4); }", "cpp.host-api",
    ),
    # sizes
    "an array of nothing": (KERNEL.replace("a[", "float s[@0]; a["), "cpp.array-size"),
    "an array of less": (KERNEL.replace("a[", "float s[2 @- 3]; a["), "cpp.array-size"),
    "constants in two arrays of 40 KB": (
        "__constant__ float s[10000], @t[10000];\n" + KERNEL.replace("1;", "s[1] + t[1];"),
        "cpp.constant-memory",
    ),
}  # fmt: skip
"""Texts, with `@` before the place that is named."""
PLAIN = frozenset(
    {"cpp.array-size", "cpp.not-a-struct", "cpp.macro-predefined", "cpp.no-variable-arguments"}
)
"""Where what is wrong says what to do."""


def launched(name, *arguments, source):
    """Launch a kernel of a source; of one without arguments, with arrays."""
    session = ScriptSession()
    kernel = SourceKernel(read_cuda(source, path="k.cu"), name, session, compiles=False)
    given = arguments or (np.zeros(32, np.float32),) * len(kernel.parameters)
    kernel.launch(Config(1, 4), given)


def refusal(text):
    """Return why a launch of the kernel `k` of a text is refused."""
    with pytest.raises(Refused) as raised:
        launched("k", source=text)
    return raised.value


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_at_its_place_with_what_to_do(what):
    text, code = REFUSED[what]
    before = text.partition("@")[0]
    error = refusal(text.replace("@", ""))
    assert error.what.code == code
    assert (error.line, error.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))
    for language in ("en", "zh"):
        assert bool(Words(language).hint(error.what, error.instead)) == (code not in PLAIN)


def test_what_has_the_same_meaning_as_cudas_own_is_taken():
    """A type in a namespace, and an alias of a type by its own name, clash with nothing."""
    text = f"typedef float4 float4;\nnamespace n {{ struct float4 {{ int x; }}; }}\n{KERNEL}"
    assert lower_kernel(read_cuda(text), "k")


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        (KERNEL.replace("__global__ ", ""), "k", "cpp.not-a-kernel"),
        ("int x;", "k", "cpp.no-kernels"),
        (KERNEL, "q", "cpp.no-kernel"),
        (f"template <int N> {KERNEL}", "k<M>", "cpp.kernel-name"),
    ],
)
def test_what_is_no_kernel_is_said(text, name, code):
    with pytest.raises(InvalidLaunch) as raised:
        launched(name, np.zeros(32, np.float32), source=text)
    assert raised.value.what.code == code


def test_a_name_that_is_almost_that_of_a_position_is_corrected():
    error = refusal("__global__ void k(float *a) { a[threadId.x] = 1; }")
    assert error.instead is not None
    assert error.instead.fields == {"name": "threadIdx"}


OVERLOADS = """
__global__ void k(float *a) { a[threadIdx.x] = 1; }
__global__ void k(int *a) { a[threadIdx.x] = 2; }
__global__ void k(float *b, int n) { b[threadIdx.x] = n; }
template <typename T> __global__ void t(T *a) { a[threadIdx.x] = 1; }
template <> __global__ void t<int>(int *a) { a[threadIdx.x] = 2; }
"""


@pytest.mark.parametrize(
    ("name", "dtype", "more", "wanted"),
    [
        ("k", np.float32, (), 1),
        ("k", np.int32, (), 2),
        ("k", np.float32, (7,), 7),
        ("t", np.float32, (), 1),
        ("t", np.int32, (), 2),
        ("t<int>", np.int32, (), 2),
    ],
)
def test_a_kernel_with_overloads_is_chosen_by_its_arguments(name, dtype, more, wanted):
    out = np.zeros(4, dtype)
    launched(name, out, *more, source=OVERLOADS)
    assert out.tolist() == [wanted] * 4


@pytest.mark.parametrize(
    ("arguments", "code"),
    [((np.zeros(4),), "cpp.overload-none"), ((np.zeros(4, np.float32), 1), "cpp.overload-several")],
)
def test_overloads_that_take_the_same_or_nothing_are_listed(arguments, code):
    source = f"{OVERLOADS}\n__global__ void k(float *a, float x) {{ a[0] = x; }}"
    with pytest.raises(InvalidLaunch) as raised:
        launched("k", *arguments, source=source)
    assert raised.value.what.code == code
    assert "k(float *a, float x)" in str(raised.value.what.fields["signatures"])


def test_written_arguments_choose_among_overloads(tmp_path):
    source, session = tmp_path / "k.cu", ScriptSession()
    source.write_text(OVERLOADS)
    asked = {
        "kernel": "k",
        "grid": (1,),
        "block": (4,),
        "shared": 0,
        "cluster": None,
        "more": (),
        "folders": (),
        "defines": (),
        "check": None,
    }
    run_source(source, (), session, {**asked, "arguments": "n=3, b=f32[4]"})
    run_source(source, (), session, {**asked, "arguments": "i32[4]"})
    assert [each["line"] for each in session.launches] == [4, 3]


def test_threads_print_as_much_as_a_buffer_of_a_device_holds():
    """A million characters are printed; then one warning names the line."""
    text = """__global__ void k(int n) {
    for (int i = 0; i < n; ++i)
        printf("0123456789012345678901234567890123456789\\n");
}"""
    kernel, _ = lower_kernel(read_cuda(text), "k")
    printed = list[str]()
    done = launch(kernel, 1, 256, [np.int32(200)], printed=printed.append)
    assert len(printed) == (1 << 20) // 41
    [found] = done.findings
    assert (found.kind, found.what.code, found.line) == ("warning", "finding.print-buffer", 3)


def test_an_error_of_ours_ends_a_source_without_a_traceback(tmp_path, monkeypatch, capsys):
    def fail(*_given):
        raise AssertionError

    monkeypatch.setattr("grader.simt.host.files.sources.run_source", fail)
    assert runner._launch(tmp_path / "a.cu", [], ScriptSession(), {}) == 1
    said = capsys.readouterr().err
    assert said.startswith("quiz: ")
    assert "AssertionError" in said
    assert "Traceback" not in said
