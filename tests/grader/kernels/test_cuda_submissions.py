"""Submissions in CUDA C++: what is accepted, what is told of the others, and what is graded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.kernels import (
    CHEATS,
    Argument,
    Problem,
    ReferenceOutputs,
    check,
    grade,
    write_cheats,
)
from grader.kernels.cuda_submission import signature
from grader.kernels.problem import InvalidProblem
from grader.kernels.recording import record
from grader.kernels.submission import read_submission
from grader.simt import Moment
from quizapp.report.words import Words
from tests.grader.kernels.tools import DOUBLE
from tests.sentences import english

CUDA = replace(DOUBLE, kernel="twice", language="cuda")
HEAD = "__global__ void twice(const float* a, float* out, int n) {\n"
BODY = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * a[i];\n}\n"
GOOD = HEAD + BODY
WITH_NUMBERS = Problem(
    "scale",
    (
        Argument("a", "float32", ("n",)),
        Argument("by", "float32", value=3),
        Argument("n", value="n"),
        Argument("out", "float32", ("n",), role="output"),
    ),
    ({"n": 64}, {"n": 40}),
    (1,),
    (64,),
    reference="def reference(a, by, n):\n    return by * a\n",
    language="cuda",
)


def graded(source: str, problem: Problem = CUDA):
    return grade(problem, source, ReferenceOutputs(problem))


def test_a_kernel_takes_arrays_as_pointers_and_the_sizes_as_int():
    assert signature(CUDA) == 'extern "C" __global__ void twice(const float* a, float* out, int n)'
    found = graded(GOOD)
    assert found.passed
    assert len(found.runs) == 2


def test_a_size_that_is_an_argument_stands_once():
    assert signature(WITH_NUMBERS).endswith("scale(const float* a, float by, int n, float* out)")
    source = """__global__ void scale(const float *a, float by, int n, float *out) {
      int i = threadIdx.x; if (i < n) out[i] = by * a[i]; }"""
    assert graded(source, WITH_NUMBERS).passed


def test_the_parameters_can_be_others():
    asked = replace(CUDA, parameters=("n", "out", "a"))
    check(asked)
    source = GOOD.replace("const float* a, float* out, int n", "int n, float *out, const float *a")
    assert graded(source, asked).passed
    with pytest.raises(InvalidProblem, match=r"no-parameter"):
        check(replace(CUDA, parameters=("n", "out", "b")))


@pytest.mark.parametrize(
    "source",
    [
        GOOD.replace("__global__", 'extern "C" __global__'),
        GOOD.replace("twice", "mine").replace("a[i]", "x[i]").replace("* a,", "* x,"),
        "template <typename T>\n" + GOOD.replace("const float*", "const T*"),
        GOOD.replace("int n)", "long long n)"),
        "\ufeff" + GOOD.replace("\n", "\r\n"),
        "#define TWICE(x) (2 * (x))\n" + GOOD.replace("2 * a[i]", "TWICE(a[i])"),
        "__device__ float sum(float x) { return x + x; }\n" + GOOD.replace("2 * a[i]", "sum(a[i])"),
        GOOD.replace("out[i] = 2 * a[i]", "reinterpret_cast<float*>(out)[i] = a[i] + a[i]"),
    ],
    ids=["extern C", "names", "template", "long long", "Windows", "macro", "helper", "cast"],
)  # fmt: skip
def test_what_people_write_passes(source):
    found = graded(source)
    assert found.passed, english(found.verdict.failure.reason)


BAD = {
    "nothing": ("", 1, "there is no kernel twice"),
    "no kernel": ("int f() { return 1; }", 1, "there is no kernel twice"),
    "Python": ("from numba import cuda\n", 1, "this is Python"),
    "a def": ("\ndef double(a, out):\n    pass\n", 2, "this is Python"),
    "an argument less": (GOOD.replace(", int n", ""), 1, "takes 2 arguments, not 3"),
    "two kernels": (
        GOOD + GOOD.replace("float* a", "float a"), 5, "there are two kernels"),
    "other kernels": (
        GOOD.replace("twice", "one") + GOOD.replace("twice", "other"), 1,
        "the kernel `twice` is missing; the text has one, other"),
    "another name and other arguments": (
        GOOD.replace("twice", "one").replace(", int n", ""), 1,
        "the kernel `twice` is missing; the text has one"),
    "another type": (GOOD.replace("const float* a", "const int* a"), 1, "float32"),
    "no pointer": (GOOD.replace("const float* a", "float a"), 3, "not a pointer"),
    "an array for a number": (HEAD.replace("int n", "int* n") + "}", 1, "int*"),
    "an open template": ("template <int N>\n" + GOOD, 2, "template"),
    "not C++": (GOOD.replace("if (i < n)", "if i < n"), 3, "expected"),
    "undeclared": (GOOD.replace("2 * a[i]", "2 * b[i]"), 3, "b"),
    "const": (GOOD.replace("out[i] =", "a[i] ="), 3, "const"),
    "refused": (GOOD.replace("2 * a[i]", "clock()"), 3, "clock"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "line", "says"), BAD.values(), ids=BAD.keys())
def test_what_is_no_such_kernel_is_told_at_its_line(source, line, says):
    found = graded(source)
    gate = found.verdict.failure
    assert (gate.key, gate.line) == ("source", line), english(gate.reason)
    assert says in english(gate.reason)
    assert not found.runs


def test_another_signature_says_the_one_that_is_asked_for():
    for name in ("nothing", "an argument less", "another type", "an open template"):
        gate = graded(BAD[name][0]).verdict.failure
        assert signature(CUDA) in Words("en").hint(gate.reason, gate.hint)


def test_cuda_for_a_problem_in_python_is_told():
    found = grade(DOUBLE, GOOD, ReferenceOutputs(DOUBLE))
    assert found.verdict.failed_at == "source"
    assert "CUDA C++" in english(found.verdict.failure.reason)


def test_the_gates_are_those_of_python():
    assert graded(GOOD.replace("2 *", "3 *")).verdict.failed_at == "result"
    assert graded(GOOD.replace("if (i < n) ", "")).verdict.failed_at == "findings: out-of-bounds"
    assert graded(GOOD.replace("if (i", "while (i")).verdict.failed_at == "runs: budget"


def test_no_cheat_passes():
    cheats = {cheat.name: cheat.source for cheat in write_cheats(CUDA, GOOD)}
    assert tuple(cheats) == CHEATS[:7]  # no limit on the shares
    ends = dict.fromkeys(("assertion", "trap"), ("runs: stopped", 1))
    for name, source in cheats.items():
        failure = graded(source).verdict.failure
        assert failure is not None
        assert (failure.key, failure.line) == ends.get(name, ("result", failure.line)), name


def test_a_thread_can_be_looked_at():
    source = """__global__ void twice(const float* a, float* out, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 2;
  __syncthreads();
  for (int k = 0; k < 3; k++) {
    float x = k + s[31 - t];
    out[blockIdx.x * 32 + t] = x;
  }
}
"""
    seen = record(CUDA, source, Moment(7, (1, 0, 0), (5, 0, 0), occurrence=3))
    assert seen.occurrences == 3
    assert {each.name: each.value for each in seen.variables} == {
        "n": "64", "t": "5", "k": "2", "x": "4.0",
    }  # fmt: skip
    (array,) = seen.arrays
    assert (array.name, array.space, array.shape) == ("s", "shared", (32,))
    assert set(array.states) == {"earlier"}
    assert record(CUDA, source, Moment(4, (0, 0, 0), (5, 0, 0))).arrays[0].states[5] == "here"


def test_numbers_are_converted_to_the_types_of_the_parameters():
    submission = read_submission(WITH_NUMBERS, """__global__ void scale(
      const float *a, double by, unsigned n, float *out) {}""")  # fmt: skip
    assert [taken.dtype for taken in submission.takes] == [None, "float64", "uint32", None]
    a = np.zeros(64, np.float32)
    arguments = submission.prepare([a, np.float32(3), 64, a], {"n": 64}).arguments
    assert [type(each) for each in arguments[1:3]] == [np.float64, np.uint32]
    assert submission.entry == "scale"


def test_a_fraction_is_no_int():
    asked = replace(WITH_NUMBERS, arguments=tuple(
        replace(each, value=0.5) if each.name == "by" else each for each in WITH_NUMBERS.arguments
    ))  # fmt: skip
    source = "__global__ void scale(const float *a, int by, int n, float *out) {}"
    gate = graded(source, asked).verdict.failure
    assert gate.key == "source"
    assert "0.5" in english(gate.reason)
