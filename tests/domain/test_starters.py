"""What counts as an attempt: a submission that ran, and that is not the starter."""

from __future__ import annotations

import pytest

from grader.gpu import GATES, GpuGrade
from grader.kernels import KernelGrade
from grader.verdict import Gate, verdict
from quizapp.domain.starters import bare_kernel, is_starter
from quizapp.exercises.kernels import CheckedKernel
from quizapp.exercises.layouts import check
from tests.exercises.tools import index, kernel


@pytest.mark.parametrize("saved", ["x = 1\n", "x = 1", "\n\nx = 1  \r\n\n", "\ufeffx = 1\n"])
def test_what_an_editor_does_to_a_file_leaves_it_the_starter(saved):
    assert is_starter(saved, "x = 1\n")


@pytest.mark.parametrize("changed", ["x = 2\n", "  x = 1\n", "x = 1 # mine\n", ""])
def test_any_other_change_is_an_attempt(changed):
    assert not is_starter(changed, "x = 1\n")


def test_a_question_without_a_starter_has_no_unchanged_one():
    assert not is_starter("x = 1", None)


@pytest.mark.parametrize(
    ("gate", "ran"), [("source", False), ("runs", True), ("result", True), ("counts", True)]
)
def test_a_kernel_ran_unless_its_source_was_refused(gate, ran):
    failed = verdict([Gate(gate, "failed")], ())
    assert CheckedKernel(kernel(), KernelGrade("def mine(): pass", failed)).ran is ran


@pytest.mark.parametrize(
    ("gate", "ran"), [("compiles", False), ("result", True), ("speedup", True)]
)
def test_a_kernel_that_numba_does_not_compile_never_ran(gate, ran):
    passed = KernelGrade("def mine(): pass", verdict([Gate("source", "passed")], ()))
    gpu = GpuGrade("def mine(): pass", verdict([Gate(gate, "failed")], GATES), "failed")
    assert CheckedKernel(kernel(), passed, gpu).ran is ran


@pytest.mark.parametrize(
    ("source", "ran"), [("row +", False), ("def index(row, col", False), ("row", True)]
)
def test_a_layout_ran_if_it_was_understood(source, ran):
    assert check(index(), source).ran is ran


def test_the_starter_of_a_layout_or_a_kernel_never_ran():
    assert not check(index(), index().starter or "").ran
    starter = kernel().starter or ""
    graded = KernelGrade(starter, verdict([Gate("result", "failed")], ()))
    assert not CheckedKernel(kernel(), graded).ran


NUMBA = '''\
"""What the kernel is for."""
import math
from numba import cuda

TILE = 32  # columns


@cuda.jit(device=True)
def given(x):
    return math.exp(x)


@cuda.jit(fastmath=True)
def softmax(
    x,  # rows
    out,
):
    # (top, total) of each thread
    t = cuda.threadIdx.x
'''
CUDA = """\
#include <mma.h>
#define LANES 32
constexpr int TILE = 32;  // columns

/* A point
   in space. */
struct Point { float x, y; };
__device__ float given(Point p) { return p.x; }

extern "C" __global__ void softmax(const Point* x,
                                   float* out, int n)
{
    int t = threadIdx.x;
}
"""


def test_an_interview_begins_with_the_signature_and_what_a_kernel_is_given():
    assert bare_kernel(NUMBA, "softmax") == (
        "import math\nfrom numba import cuda\n\n\n"
        "@cuda.jit(device=True)\ndef given(x):\n    return math.exp(x)\n\n\n"
        "@cuda.jit(fastmath=True)\ndef softmax(\n    x,  # rows\n    out,\n):\n    pass\n"
    )
    assert bare_kernel(CUDA, "softmax") == (
        "#include <mma.h>\n\nstruct Point { float x, y; };\n"
        "__device__ float given(Point p) { return p.x; }\n\n"
        'extern "C" __global__ void softmax(const Point* x,\n'
        "                                   float* out, int n)\n{\n}\n"
    )
    for starter in (NUMBA, CUDA, "def softmax(x): pass\n"):
        assert bare_kernel(starter, "softmin") == starter
