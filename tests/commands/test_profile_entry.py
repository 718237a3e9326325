"""`quiz profile solve.cu`: a function in place of a `main`, and `--check` against a reference."""

from __future__ import annotations

import json
import os
import re

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT, USAGE
from tests.commands.program import Said

SOLVE = """\
// extern "C" void solve(int other) { not this one }
__global__ void scale(const float* a, float* out, int* count, int n, double by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = by * a[i];
    if (i == 0 && count)
        count[0] += n;
}

extern "C" void solve(const float *a, float* out, int* count, int n, double by) {
    scale<<<(n + 127) / 128, 128>>>(a, out, count, n, by);
}
"""
ARGS = "a=f32[10,20]:random, out=f32[200], count=i32[1]:ones, n=200, by=-0.1"
ALONE = ("--grid", "2", "--block", "128")
REFERENCE = "def reference(a, by, n, count):\n    return by * a.ravel(), count + n\n"


@pytest.fixture
def profile(quiz, tmp_path, needs_program):
    """The command on SOLVE, with a reference of this text."""
    needs_program("g++")

    def run(*options: str, reference: str = "", source: str = SOLVE):
        (tmp_path / "solve.cu").write_text(source)
        file = tmp_path / "reference.py"
        file.write_text(reference)
        os.utime(file, (0, 0))  # as old as the one before: Python's cache would not tell them apart
        check = ("--check", "reference.py") if reference else ()
        ended = quiz("profile", "solve.cu", *options, *check)
        return Said(ended.returncode, ended.stdout, ended.stderr)

    return run


def test_without_arguments_it_says_what_it_could_be_given(profile):
    said = profile()
    assert said.status == USAGE
    example = "a=f32[n]:normal, out=f32[n], count=i32[1]:zeros, n=256, by=0.5"
    assert "to call `solve(const float *a, " in said.err
    assert f"for example: --args '{example}'" in said.err


def test_every_output_is_compared_with_what_the_reference_returns(profile):
    said = profile("--args", ARGS, reference=REFERENCE)
    assert (said.status, said.out.splitlines()[0]) == (OK, "no faults in 1 launch")
    assert "launched from line 12" in said.out
    off = "reference.py gives, off by at most 7.5e-09"
    assert said.err.splitlines() == [
        f"out is right: all 200 elements are what {off} (values up to 0.0997)",
        "count is right: its element is what reference.py gives",
    ]


def test_a_reference_may_change_the_outputs_in_place(profile):
    text = "def reference(a, out, count, by):\n    out[:] = by * a.ravel()\n    count += 200\n"
    said = profile(*ALONE, "--args", ARGS, reference=text)
    assert said.status == OK
    assert [line.partition(":")[0] for line in said.err.splitlines()] == [
        "out is right", "count is right",
    ]  # fmt: skip


def test_an_array_that_is_null_is_passed_as_such(profile):
    args = ARGS.replace("i32[1]:ones", "nullptr")
    assert profile("--args", args, reference="def f(a, by): return by * a").status == OK


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (
            "def reference(a):\n    a[1, 2] = 7\n    return -0.1 * a, [201]",
            "out[22] is ",
        ),
        (
            "def reference(a): return -0.1 * a, [200]",
            "the reference gives 200 (written by thread (0, 0, 0), block (0, 0, 0), line 8)\n",
        ),
        (
            "def reference(a): return a",
            "the kernel has 2 outputs (out, count), but the reference returns 1",
        ),
        (
            "def reference(a, out): a *= 2",
            "returns None, and has changed a\n  return out, count, or write in place to parameters",
        ),
        ("def reference(a): b = 2 * a", "returns None, and has changed no array"),
        ("def reference(a): return a[0], [201]", "an array of shape (20,), not (200,)"),
        ("def reference(a): return a * 1j, [201]", "which is not a real number"),
        (
            "def reference(a, m): return a",
            "the reference in reference.py has a parameter `m`, which is not an argument: a, out",
        ),
        ("def reference(a, by): return {'count': [201], 'out': by}", "of shape (), not (200,)"),
        ("import sys\ndef reference(a): sys.exit(0)", "fails: reference.py, line 2: SystemExit: 0"),
        (
            "def reference(a): return b",
            "line 1: NameError: name 'b' is not defined",
        ),
        ("1 / 0", "fails: reference.py, line 1: ZeroDivisionError: division by zero"),
        ("def f(): pass\ndef g(): pass", "has no function `reference`"),
    ],
)
def test_what_is_not_right_is_said_in_a_line(profile, reference, says):
    """Of the kernel alone, which nothing is compiled for, but where it names who wrote."""
    launch = () if "written by" in says else ALONE
    said = profile(*launch, "--args", ARGS, reference=reference)
    assert said.status == (
        SCRIPT if re.search("line 1:|fails|no function|has a parameter", says) else FINDINGS
    )
    assert says in said.err
    assert "scale" in said.out


def test_a_fault_in_it_is_found_at_its_line(profile):
    said = profile("--args", ARGS, source=SOLVE.replace("if (i < n)", "if (i <= n)"))
    assert said.status == FINDINGS
    assert "out of bounds (out, line 6)" in said.out


@pytest.mark.parametrize("block", [False, True])
def test_its_types_may_be_those_of_the_source(profile, block):
    text = """#include <cuda_fp16.h>
#define T half
__global__ void twice(const T* a, T* out, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __hadd(a[i], a[i]);
}
extern "C" void solve(const T* __restrict__ a, T* out, size_t n) { twice<<<2, 64>>>(a, out, n); }
"""
    if block:
        text = text.replace('extern "C" void', 'extern "C" { void').replace("n); }", "n); } }")
    args = "a=f16[100]:random, out=f16[100], n=100"
    said = profile("--args", args, source=text, reference="def double(a): return a + a")
    assert (said.status, said.err.split(":")[0]) == (OK, "out is right")


def test_a_struct_cannot_be_passed(profile):
    source = SOLVE.replace("double by) {", "double by, float2 more) {")
    said = profile("--args", f"{ARGS}, more={{x=1, y=2}}", source=source)
    assert said.status == USAGE
    assert "`more` of `solve` is a struct" in said.err


def test_a_kernel_alone_is_checked_too(profile):
    launch = (*ALONE, "--args", ARGS)
    assert profile(*launch, reference=REFERENCE).status == OK
    wrong = profile(*launch, "--json", reference=REFERENCE.replace("+ n", "+ 1"))
    assert (wrong.status, len(json.loads(wrong.out)["launches"])) == (FINDINGS, 1)
    assert "count[0] is 201, but the reference gives 2 (written by thread" in wrong.err


def test_what_no_kernel_has_stored_to_is_not_right(profile):
    text = """__global__ void relu(float* x, int n) { }
extern "C" int helper() { return 0; }
extern "C" void other(float* x) { }
extern "C" void solve(float* x, int n) { relu<<<1, 64>>>(x, n); }
"""
    reference = "def f(x): return abs(x)"
    said = profile("--args", "x=f32[64]:random, n=64", source=text, reference=reference)
    assert said.status == FINDINGS
    assert "x is what reference.py gives, but no kernel has stored anything to it" in said.err
    said = profile("--args", "x=f32[64]:normal, n=64", source=text, reference=reference)
    assert "(never written)" in said.err


def test_a_program_that_ends_before_it_returns_is_a_line(profile):
    text = SOLVE.replace("n, by);\n}", "n, by);\n    exit(0);\n}")
    said = profile("--args", ARGS, source=f"#include <cstdlib>\n{text}", reference=REFERENCE)
    assert (said.status, said.err) == (USAGE, "quiz: the program ended before `solve` returned\n")


def test_a_compiler_is_not_offered_for_what_it_would_refuse_as_well(profile):
    two = "__global__ void first(float* out) { out[0] = 1; }\n" + SOLVE.replace("a[i]", "c[i]")
    said = profile(
        "--args",
        ARGS,
        source=two.replace("{\n    scale", "{\n    first<<<1, 1>>>(out);\n    scale"),
    )
    assert said.status == SCRIPT
    assert said.out.startswith("no faults in 1 launch, up to what was refused\n")
    assert "the name `c` is not declared here" in said.err
    assert "pip install" not in said.err


def test_solve_of_another_form_is_named(profile):
    said = profile(source=SOLVE.replace('extern "C" void', "void"))
    assert "is called only if it is declared" in said.err


PRODUCT = """\
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < K) {
        float sum = 0;
        for (int i = 0; i < N; ++i)
            sum += A[row * N + i] * B[i * K + column];
        C[row * K + column] = sum;
    }
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    product<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""
MATRICES = "def reference(A, B): return A @ B"


def test_without_arguments_a_check_draws_shapes(profile):
    said = profile(source=PRODUCT, reference=MATRICES)
    assert said.status == OK
    right, arrays = said.err.splitlines()
    assert right.startswith("right for 8 drawn shapes, off by at most ")
    assert "(M, N, K) = (16, 16, 16), (32, 16, 64), (1, 1, 1), (1, 37, 2), " in right
    assert arrays == "  arrays: A=f32[M,N]:normal, B=f32[N,K]:normal, C=f32[M,K]"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("A[row * N + i]", "A[row * M + i]", "wrong for (M, N, K) = (32, 16, 64): --args "),
        pytest.param(
            "row < M &&",
            "row <= M &&",
            "a fault for (M, N, K) = (1, 1, 1): --args ",
            marks=pytest.mark.long,
        ),
        ("C[row * K + column] = sum", "if (row < 16) C[row * K + column] = sum", "never written"),
    ],
)
def test_the_first_shape_that_is_not_right_is_named(profile, old, new, says):
    assert old in PRODUCT
    said = profile(source=PRODUCT.replace(old, new), reference=MATRICES)
    assert said.status == FINDINGS
    assert says in said.err
    assert "shapes that were right before: (M, N, K) = (16, 16, 16)" in said.err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("N=16, A=f32[M,N]:ones", "(M, K) = (16, 16), "),
        pytest.param(
            "N=16, A=f32[M,N]:ones",
            "arrays: B=f32[N,K]:normal, C=f32[M,K]",
            marks=pytest.mark.long,
        ),
        ("K=16", "arrays: A=f32[M,N]:normal, B=f32[N,K]:normal, C=f32[M,K]"),
    ],
)
def test_numbers_that_are_given_are_not_drawn(profile, args, says):
    said = profile("--args", args, source=PRODUCT, reference=MATRICES)
    assert said.status == OK
    assert says in said.err


def test_shapes_that_a_reference_does_not_take_are_left_out(profile):
    text = SOLVE.replace("by * a[i]", "by * a[i ^ 1]")
    reference = "def f(a, by, n, count): return by * a.reshape(-1, 2)[:, ::-1], count + n"
    said = profile(source=text, reference=reference)
    assert said.status == OK
    assert "right for 4 drawn shapes, equal" in said.err
    assert "more shapes were left out" in said.err


def test_nothing_is_blamed_where_the_lengths_of_arrays_are_a_guess(profile):
    text = """__constant__ float taps[64];
__global__ void filter(const float* input, float* output, int length, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int at = 0; i + width <= length && at < width; ++at)
        sum += input[i + at] * taps[at];
    if (i + width <= length)
        output[i] = sum;
}
extern "C" void solve(const float* input, const float* w, float* output, int length, int width) {
    float copied[64];
    cudaMemcpy(copied, w, width * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpyToSymbol(taps, copied, width * sizeof(float));
    filter<<<(length + 63) / 64, 64>>>(input, output, length, width);
}
"""
    reference = """import numpy as np
def f(input, w): return np.correlate(input, w[: len(input)], "valid")
"""
    said = profile(source=text, reference=reference)
    assert said.status == SCRIPT
    assert said.err.startswith("not judged: the run for (length, width) = (16, 16) is wrong")
    given = ("--args", "length=70, width=5, w=f32[width]:normal, input=f32[length]:normal")
    assert profile(*given, source=text, reference=reference).status == OK


def test_integers_are_indices_where_others_are_out_of_bounds(profile):
    text = """__global__ void count(const int* labels, int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[labels[i]], 1);
}
extern "C" void solve(const int* labels, int* bins, int n, int size) {
    count<<<(n + 63) / 64, 64>>>(labels, bins, n);
}
"""
    reference = """import numpy as np
def f(labels, size): return np.bincount(labels, minlength=size)[:size]
"""
    said = profile(source=text, reference=reference)
    assert (said.status, said.err.partition(" drawn")[0]) == (OK, "right for 11")
    assert "labels=i32[n]:random(" in said.err
    said = profile("--args", "labels=i32[64]:random, bins=i32[8]:zeros, n=64, size=8", source=text)
    assert "if the values of labels are indices" in said.err
    assert said.err.endswith("--args 'labels=i32[64]:random(size)'\n")


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (6, "  arrays: a=f32[n,6]:normal, out=f32[n,6]\n"),
        (7, "give the lengths of the arrays with --args, for example a=f32[n*64]\n"),
    ],
)
def test_a_size_of_the_code_is_found_or_asked_for(profile, columns, says):
    source = """__global__ void twice(const float* a, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; i < n && j < 6; ++j)
        out[i * 6 + j] = 2 * a[i * 6 + j];
}
"""
    reference = f"def f(a, n): return 2 * a.reshape(n, {columns})"
    said = profile("--block", "64", source=source, reference=reference)
    assert said.err.endswith(says)


def test_a_kernel_with_a_struct_and_arrays_in_place_is_drawn(profile):
    source = """struct Step { float rate; int times; };
__global__ void descend(float* in, float* m, const float* g, int n, Step lambda)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        m[i] += lambda.times * g[i];
        in[i] -= lambda.rate * m[i];
    }
}
"""
    for reference in (
        "def f(in_, m, g, **kw):\n    s = kw['lambda']\n    m += s.times * g\n    in_ -= s[0] * m",
        "def f(x, y, g, n, rate, times):\n    y = y + times * g\n    return x - rate * y, y",
    ):
        args = ("--args", "lambda={rate=0.5, times=3}")
        said = profile("--block", "64", *args, source=source, reference=reference)
        assert said.status == OK
        assert "  arrays: in=f32[n]:normal, m=f32[n]:normal, g=f32[n]:normal" in said.err


def test_integers_are_below_the_number_that_says_what_they_index(profile):
    source = """__global__ void embed(const int* ids, const float* table, float* out,
    int n, int dim, int vocab_size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * dim && ids[i / dim] < vocab_size)
        out[i] = table[ids[i / dim] * dim + i % dim];
}
"""
    reference = "def f(ids, table): return table[ids]"
    said = profile("--block", "64", source=source, reference=reference)
    assert (said.status, said.err.partition(" drawn")[0]) == (OK, "right for 8")
    arrays = "ids=i32[n]:random(vocab_size), table=f32[vocab_size,dim]:normal, out=f32[n,dim]"
    assert said.err.endswith(f"  arrays: {arrays}\n")


def test_a_kernel_alone_is_drawn_over_a_grid_of_its_elements(profile):
    source, launch = PRODUCT.partition("extern")[0], ("--block", "16,16")
    said = profile(*launch, reference=MATRICES, source=source)
    assert said.status == OK
    assert "right for 8 drawn shapes, " in said.err
    wrong = profile(*launch, reference=MATRICES.replace("A @", "2 * A @"), source=source)
    assert "wrong for (M, N, K) = (16, 16, 16): --grid 1,1,1 --block 16,16 --args 'A=" in wrong.err
    missing = profile(reference=MATRICES, source=source)
    assert "cannot be launched without --block" in missing.err


NARROW = """\
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#define AT int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)
__global__ void bf(__nv_bfloat16* a, int n) { AT a[i] = 2 * __bfloat162float(a[i]); }
__global__ void pairs(const __nv_bfloat162* a, __nv_bfloat162* out, int n) {
    AT out[i] = __hadd2(a[i], a[i]);
}
__global__ void halves(const half2* a, half2* out, int n) { AT out[i] = __hadd2(a[i], a[i]); }
__global__ void fp8(const float* a, __nv_fp8_e5m2* out, int n) {
    AT out[i] = __nv_fp8_e5m2(2 * a[i]);
}
__global__ void quads(const __nv_fp8x4_e4m3* a, float4* out, int n) {
    AT { float4 v = float4(a[i]); out[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); }
}
template <class T> __global__ void any(const T* a, T* out, int n) { AT out[i] = a[i] + a[i]; }
"""


@pytest.mark.parametrize(
    ("kernel", "args", "says"),
    [
        ("bf", "", "  arrays: a=bf16[n]:normal"),
        ("bf", "a=u16[64]:random(20000), n=64", "a is right: all 64 elements"),
        ("pairs", "", "  arrays: a=bf16[n,2]:normal, out=bf16[n,2]"),
        ("halves", "a=half2[8]:normal, out=f16[16], n=8", "out is right: all 16 elements"),
        ("fp8", "", "  arrays: a=f32[n]:normal, out=e5m2[n]"),
        ("fp8", "a=f32[8]:normal, out=u8[8], n=8", "out is right: all 8 elements"),
        ("quads", "", "  arrays: a=e4m3[n,4]:normal, out=f32[n,4]"),
        ("quads", "a=u32[8]:random, out=float4[8], n=8", "out is right: all 32 elements"),
        ("any", "a=bf16[8]:normal, out=bf16[8], n=8", "out is right: all 8 elements"),
        ("fp8", "a=bf16[8], out=u8[8], n=8", "but the elements of its array are bf16"),
    ],
)  # fmt: skip
def test_floats_that_numpy_lacks_are_float32_for_the_reference(profile, kernel, args, says):
    options = (
        "--kernel",
        kernel,
        "--block",
        "64",
        *(("--grid", "1", "--args", args) if args else ()),
    )
    said = profile(*options, source=NARROW, reference="def reference(a): return 2 * a")
    assert says in said.err


def test_a_script_s_launches_are_compared(quiz, tmp_path):
    (tmp_path / "reference.py").write_text("def reference(a, b): return a + b\n")
    script = tmp_path / "script.py"
    text = """import numpy as np
from numba import cuda
@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
a = np.arange(100.0)
for size in (32, 100):
    add[4, 32](a[:size], a[:size], np.zeros(size))
"""

    def run(text):
        script.write_text(text)
        ended = quiz("profile", "script.py", "--check", "reference.py")
        return Said(ended.returncode, ended.stdout, ended.stderr)

    assert run(text).err == "add is right in 2 launches, equal to reference.py\n"
    wrong = run(text.replace("i < out.size", "i < min(out.size, 64)"))
    assert wrong.status == FINDINGS
    assert "wrong in launch 2, of add:\nout[64] is 0.0, but the reference gives 128.0" in wrong.err
    none = run(text.partition("for")[0])
    assert none.status == SCRIPT
    assert "nothing is compared with reference.py: the script launches no kernel" in none.err
    other = run(text.replace("add(a, b, out)", "add(a, c, out)").replace("b[i]", "c[i]"))
    assert "no kernel has the parameters of its function; there are add(a, c, out)" in other.err
