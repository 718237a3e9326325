"""What a kernel is given: structs by value, defaults; and functions that call themselves."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.modules import SourceKernel
from grader.simt.host.files.written_arguments import read_arguments
from grader.simt.host.session import Config, ScriptSession
from tests.refusals import raises

STRUCTS = """
struct Scale { float a, b; };
struct Job { const float *in; float *out; int n; Scale by; };
struct Table { int n; float w[4]; };
__device__ Table doubled(Table t) { for (int i = 0; i < 4; i++) t.w[i] *= 2; return t; }
__global__ void scale(Job job) {
    int i = threadIdx.x;
    if (i < job.n) job.out[i] = job.in[i] * job.by.a + job.by.b;
}
__global__ void pick(Table t, float *out) { out[threadIdx.x] = t.w[threadIdx.x & 3]; }
__global__ void copies(Table t, float *out) {
    Table mine = t, other;
    mine.w[0] = 100;
    other = doubled(mine);
    out[threadIdx.x] = other.w[threadIdx.x & 3] + t.w[0];
}
__global__ void vector(float4 v, float *out) { out[threadIdx.x] = v.x + v.w * threadIdx.x; }
__global__ void defaults(float *out, int n = 4 * 2, float by = 0.5f, float *more = nullptr) {
    out[threadIdx.x] = more ? 0 : n * by;
}
"""


def launched(name, *arguments, source=STRUCTS, threads=8):
    session = ScriptSession()
    kernel = SourceKernel(read_cuda(source), name, session)
    kernel.launch(Config(1, threads), arguments)
    (launch,) = session.launches
    return launch


def zeros():
    return np.zeros(8, np.float32)


RECORD = np.array([(3, [1, 2, 3, 4])], [("n", "i4"), ("w", "f4", 4)])
TABLES = {
    "a tuple": (3, [1, 2, 3, 4]),
    "by name": {"w": (1.0, 2, 3, 4), "n": 3},
    "a record": RECORD[0],
    "a record without axes": RECORD[:1].reshape(()),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_struct_with_an_array_is_its_members(table):
    out = zeros()
    launched("pick", table, out)
    assert out.tolist() == [1, 2, 3, 4] * 2


def test_a_struct_has_pointers_and_structs():
    out, data = zeros(), np.arange(8, dtype=np.float32)
    launch = launched("scale", (data, out, 6, (2, 1.5)))
    assert out.tolist() == [1.5, 3.5, 5.5, 7.5, 9.5, 11.5, 0, 0]
    assert [each["name"] for each in launch["arguments"]] == [
        "job.in", "job.out", "job.n", "job.by.a", "job.by.b",
    ]  # fmt: skip


def test_a_copy_of_a_struct_has_arrays_of_its_own():
    out = zeros()
    launched("copies", TABLES["a tuple"], out)
    assert out.tolist() == [201, 5, 7, 9] * 2


def test_a_vector_is_a_struct():
    out = zeros()
    launched("vector", (1, 2, 3, 4), out)
    assert out[:3].tolist() == [1, 5, 9]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "takes {n, w}"),
        ((3,), "takes {n, w}"),
        ({"n": 3}, "takes {n, w}"),
        ({"n": 3, "x": 4}, "takes {n, w}"),
        ((3, [1, 2]), "t.w"),
        ((3.5, [1, 2, 3, 4]), "t.n"),
    ],
)
def test_what_is_no_such_struct_is_told(value, said):
    with raises(InvalidLaunch, said):
        launched("pick", value, zeros())


def test_parameters_have_defaults():
    out = zeros()
    launched("defaults", out)
    launched("defaults", out[:4], 10)
    assert out.tolist() == [5] * 4 + [4] * 4
    with raises(InvalidLaunch, "takes 4 arguments"):
        launched("defaults")


def test_structs_and_defaults_as_they_are_written():
    text = "job={in=f32[8]:arange, out=f32[8], n=8, by={2, 0.5}}"
    (job,) = read_arguments(text, "scale", ["job"], {})
    assert (job.value["n"], job.value["by"]) == (8, (2, 0.5))
    assert [array.shape for array in job.arrays] == [(8,), (8,)]
    assert job.unfilled[0] is job.value["out"]
    given = read_arguments("f32[8], by=2", "k", ["out", "n", "by"], {"n": 8})
    assert [each.value for each in given[1:]] == [8, 2]
    with raises(InvalidLaunch, "neither an array nor a number nor a struct"):
        read_arguments("t={n=1, 2}", "k", ["t"], {})


RECURSION = """
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__device__ void sort(int *x, int low, int high) {
    if (low >= high) return;
    int pivot = x[high], at = low;
    for (int i = low; i < high; i++)
        if (x[i] < pivot) { int t = x[i]; x[i] = x[at]; x[at] = t; at++; }
    x[high] = x[at]; x[at] = pivot;
    sort(x, low, at - 1);
    sort(x, at + 1, high);
}
template <int N> __device__ int sum() {
    if constexpr (N == 0) return 0; else return N + sum<N - 1>();
}
__device__ void count(int n, int &calls) { calls++; if (n > 0) count(n - 1, calls); }
__global__ void k(int *out, int *data) {
    int t = threadIdx.x, calls = 0;
    count(t, calls);
    sort(data + t * 8, 0, 7);
    out[t] = fib(t) + 1000 * even(t) + 10000 * sum<4>() + 1000000 * calls;
}
"""


def test_functions_call_themselves():
    out, data = np.zeros(8, np.int32), np.random.default_rng(1).integers(99, size=(8, 8))
    data = data.astype(np.int32)
    wanted = np.sort(data, axis=1)
    launched("k", out, data.reshape(-1), source=RECURSION)
    fib = [0, 1, 1, 2, 3, 5, 8, 13]
    right = [fib[t] + 1000 * (t % 2 == 0) + 100000 + 1000000 * (t + 1) for t in range(8)]
    assert out.tolist() == right
    assert (data == wanted).all()


def test_a_recursion_that_goes_too_deep_is_found():
    source = (
        "__device__ int f(int n) { return f(n + 1); }\n__global__ void k(int *o) { *o = f(0); }"
    )
    launch = launched("k", np.zeros(1, np.int32), source=source, threads=1)
    assert launch["findings"][0]["topic"] == "recursion"


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("int f(int n) { int x[2] = {n, 1}; return n ? f(x[n & 1]) : 0; }", "has arrays"),
        ("auto f(int n) { return n ? f(n - 1) : 0; }", "before its `auto` result is known"),
        ("template <int N> int f(int n) { return f<N + 1>(n); }", "more than 30 functions"),
    ],
)
def test_recursion_that_is_not_emulated(function, said):
    if function.startswith("template"):
        source = function.replace(">", "> __device__", 1)
    else:
        source = f"__device__ {function}"
    call = "f<0>" if "template" in source else "f"
    text = f"{source}\n__global__ void k(int *o) {{ *o = {call}(3); }}"
    with raises(Refused, said):
        lower_kernel(read_cuda(text), "k")
