"""CUB and WMMA from headers of ours: values against NumPy, and who is blamed for what."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.cuda.parser.preprocessing import Preprocessor
from grader.simt.errors import Refused

_THREADS = 120
_N = 4 * _THREADS
_DRAWN = np.random.Generator(np.random.PCG64(33))
_WHOLE = _DRAWN.integers(-50, 50, _N).astype(np.int32)
_FIRST = _WHOLE[:_THREADS]
_FLOATS = _DRAWN.normal(size=_N).astype(np.float32)
_OPERATORS = """
#include <cub/cub.cuh>
#include <thrust/functional.h>
struct Running {
  int total;
  __device__ Running(int start) : total(start) {}
  __device__ int operator()(int of_block) { int old = total; total += of_block; return old; }
};
"""


def _run(body, data, size, block=_THREADS, before=_OPERATORS):
    kind = {"i": "int", "f": "float"}[data.dtype.kind]
    source = f"{before}__global__ void k(const {kind}* a, {kind}* out) {{\n{body}\n}}"
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(size, data.dtype)
    return out, launch(lowered, 1, block, [data, out])


_ITEMS = "int v[4]; for (int i = 0; i < 4; ++i) v[i] = a[t * 4 + i];"
_BACK = "for (int i = 0; i < 4; ++i) out[t * 4 + i] = v[i];"
_SCAN = "using S = cub::BlockScan<int, 120>; __shared__ S::TempStorage s; int r;"
_FORMS = [
    (("using S = cub::BlockReduce<int, 120>; __shared__ S::TempStorage s;"
     "int r = S(s).Sum(a[t]); if (t == 0) out[0] = r;"), [_FIRST.sum()]),
    (("using S = cub::BlockReduce<int, 120>; __shared__ S::TempStorage s;"
     "int r = S(s).Reduce(a[t], cub::Max(), 77); if (t == 0) out[0] = r;"), [_FIRST[:77].max()]),
    ("using S = cub::BlockReduce<int, 120>; __shared__ S::TempStorage s;" + _ITEMS +
     "int r = S(s).Reduce(v, thrust::minimum<int>()); if (t == 0) out[0] = r;", [_WHOLE.min()]),
    (("using P = cub::KeyValuePair<int, int>; using S = cub::BlockReduce<P, 120>;"
     "__shared__ S::TempStorage s; P r = S(s).Reduce(P(t, a[t]), cub::ArgMax());"
     "if (t == 0) out[0] = r.key;"), [_FIRST.argmax()]),
    (("using S = cub::WarpReduce<int, 8>; __shared__ S::TempStorage s[15];"
     "int r = S(s[t / 8]).Sum(a[t]); if (t % 8 == 0) out[t / 8] = r;"),
     _FIRST.reshape(15, 8).sum(1)),
    (("using S = cub::WarpScan<int, 8>; __shared__ S::TempStorage s[15]; int r;"
     "S(s[t / 8]).InclusiveSum(a[t], r); out[t] = r;"), _FIRST.reshape(15, 8).cumsum(1).ravel()),
    (_SCAN + "S(s).ExclusiveSum(a[t], r); out[t] = r;", _FIRST.cumsum() - _FIRST),
    (_SCAN + "S(s).InclusiveScan(a[t], r, [](int x, int y) { return x > y ? x : y; }); out[t] = r;",
     np.maximum.accumulate(_FIRST)),
    (_SCAN + _ITEMS + "int all; S(s).ExclusiveSum(v, v, all); v[0] += all;" + _BACK,
     _WHOLE.cumsum() - _WHOLE + np.where(np.arange(_N) % 4, 0, _WHOLE.sum())),
    (_SCAN + "Running p(7); for (int i = 0; i < 4; ++i) { S(s).ExclusiveSum(a[i * 120 + t], r, p);"
     "out[i * 120 + t] = r; __syncthreads(); }", _WHOLE.cumsum() - _WHOLE + 7),
    ("using S = cub::BlockRadixSort<int, 120, 4, int>; __shared__ S::TempStorage s;" + _ITEMS +
     "int w[4]; for (int i = 0; i < 4; ++i) w[i] = t * 4 + i; S(s).SortDescending(v, w);"
     "for (int i = 0; i < 4; ++i) out[t * 4 + i] = w[i];", np.argsort(-_WHOLE, kind="stable")),
    (("using L = cub::BlockLoad<int, 120, 4, cub::BLOCK_LOAD_TRANSPOSE>;"
     "using O = cub::BlockStore<int, 120, 4, cub::BLOCK_STORE_TRANSPOSE>;"
     "__shared__ union { L::TempStorage load; O::TempStorage store; } s; int v[4];"
     "L(s.load).Load(a, v, 450, 5); __syncthreads(); O(s.store).Store(out, v, 470);"),
     [*_WHOLE[:450], *[5] * 20]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "wanted"), _FORMS)
def test_a_block_computes_what_it_says(body, wanted):
    out, done = _run(f"int t = threadIdx.x;\n{body}", _WHOLE, _N)
    assert done.findings == ()
    assert out[: len(wanted)].tolist() == np.asarray(wanted).tolist()


def test_floats_are_sorted_by_value_and_added_in_a_fixed_order():
    sort = """int t = threadIdx.x; float v[4];
using S = cub::BlockRadixSort<float, 120, 4>; __shared__ S::TempStorage s;
for (int i = 0; i < 4; ++i) v[i] = a[t * 4 + i];
S(s).Sort(v); for (int i = 0; i < 4; ++i) out[t * 4 + i] = v[i];"""
    assert _run(sort, _FLOATS, _N)[0].tolist() == np.sort(_FLOATS).tolist()
    body = """using S = cub::BlockReduce<float, 64>; __shared__ S::TempStorage s;
float r = S(s).Sum(a[threadIdx.x]); if (threadIdx.x == 0) out[0] = r;"""
    out, _ = _run(body, _FLOATS, 1, 64)
    lanes = _FLOATS[:64].reshape(2, 32)
    while lanes.shape[1] > 1:  # neighbors first, then pairs, …; then the warps in order
        lanes = lanes[:, ::2] + lanes[:, 1::2]
    assert out[0] == lanes[0, 0] + lanes[1, 0]


def test_storage_that_is_used_again_without_a_barrier_races_at_the_callers_lines():
    body = """using S = cub::BlockReduce<int, 120>; __shared__ S::TempStorage s;
int r = S(s).Sum(a[threadIdx.x]);
BARRIER
int m = S(s).Reduce(a[threadIdx.x], cub::Max());
if (threadIdx.x == 0) { out[0] = r; out[1] = m; }"""
    _, good = _run(body.replace("BARRIER", "__syncthreads();"), _WHOLE, 2, before="\n" + _OPERATORS)
    _, bad = _run(body.replace("BARRIER", ""), _WHOLE, 2, before="\n" + _OPERATORS)
    assert good.findings == ()
    (race,) = bad.findings
    assert (race.kind, race.line, race.file) == ("race", 14, "")
    assert race.what.fields["place"].fields["line"] == 12
    assert bad.line(12)["barriers"] == 4
    assert set(bad.files) == {""}


_MATRICES = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const {held}* a, const {held}* b, {sums}* d) {{
  wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {kind}, wmma::{left}_major> left;
  wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {kind}, wmma::{right}_major> right;
  wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {sums}> sums, old;
  wmma::load_matrix_sync(left, a, {a_stride});
  wmma::load_matrix_sync(right, b, {b_stride});
  wmma::load_matrix_sync(old, d, {n}, wmma::mem_row_major);
  wmma::fill_fragment(sums, 0.0f);
  wmma::mma_sync(sums, left, right, sums);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] + old.x[i];
  wmma::store_matrix_sync(d, sums, {n}, wmma::mem_row_major);
}}
"""
_BFLOAT = "__nv_bfloat16"
_NUMPY = {
    "half": np.float16, "float": np.float32, "double": np.float64, "int": np.int32,
    "signed char": np.int8, "unsigned char": np.uint8,
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "sums", "shape", "left", "right"),
    [
        ("half", "float", (16, 16, 16), "row", "col"),
        ("half", "half", (32, 8, 16), "col", "row"),
        ("half", "float", (8, 32, 16), "row", "row"),
        (_BFLOAT, "float", (16, 16, 16), "col", "col"),
        ("wmma::precision::tf32", "float", (16, 16, 8), "row", "col"),
        ("signed char", "int", (16, 16, 16), "row", "col"),
        ("unsigned char", "int", (16, 16, 16), "col", "row"),
        ("double", "double", (8, 8, 4), "row", "col"),
    ],
)
def test_a_warp_multiplies_matrices(kind, sums, shape, left, right):
    m, n, k = shape
    low = 0 if kind == "unsigned char" else -4
    a, b, c = (_DRAWN.integers(low, 5, each) for each in ((m, k), (k, n), (m, n)))
    wanted = a @ b + c
    a, b = (a if left == "row" else a.T), (b if right == "row" else b.T)
    held = "float" if "tf32" in kind else kind
    source = _MATRICES.format(
        held=held, kind=kind, sums=sums, m=m, n=n, k=k, left=left, right=right,
        a_stride=a.shape[1], b_stride=b.shape[1],
    )  # fmt: skip

    def made(values):
        if held == _BFLOAT:  # the upper half of a float
            return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return values.astype(_NUMPY[held])

    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = c.astype(_NUMPY[sums])
    done = launch(
        lowered, 1, 32, [np.ascontiguousarray(made(a)), np.ascontiguousarray(made(b)), out]
    )
    assert done.findings == ()
    assert out.tolist() == wanted.tolist()
    assert done.line(8)["global_load_requests"] > 0


@pytest.mark.parametrize(
    ("kind", "at", "pitch", "right"),
    [
        ("half", 16, 24, True),
        ("half", 8, 24, False),
        ("half", 0, 20, False),
        ("signed char", 8, 24, True),
        ("signed char", 4, 16, False),
    ],
)
def test_a_matrix_has_the_alignment_that_wmma_asks_for(kind, at, pitch, right):
    """A fragment's bytes at its start, and a stride of a multiple of 16, or of fewer."""
    load = f"""nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, {kind},
  nvcuda::wmma::row_major> f; nvcuda::wmma::load_matrix_sync(f, a + {at}, {pitch});"""
    kernel = f"#include <mma.h>\n__global__ void k(const {kind}* a) {{\n{load}\n}}"
    given = np.zeros(500, _NUMPY[kind])
    done = launch(lower_kernel(read_cuda(kernel), "k")[0], 1, 32, [given])
    assert [(found.kind, found.line) for found in done.findings] == [("misaligned", 4)] * (
        not right
    )
    size = given.itemsize
    for found in done.findings:
        assert found.what.fields.items() >= {("byte", size * at), ("stride", size * pitch)}


@pytest.mark.parametrize(
    ("before", "body", "code"),
    [
        ("", "cub::WarpReduce<int> w;", "cpp.include-missing"),
        ("#include <cub/cub.cuh>", "cub::BlockExchange<int, 32, 4> e;", "cpp.no-library-name"),
        ("#include <cuda/functional>", "cuda::barrier<1> b;", "cpp.no-library-name"),
        ("#include <cub/cub.cuh>", ("using S = cub::BlockReduce<int, 32>; __shared__ S::TempStorage"
         " s; S(s).Sum(1, 2, 3);"), "cpp.no-library-name"),
        ("#include <mma.h>", ("nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 4, half,"
         " nvcuda::wmma::row_major> f;"), "cpp.no-library-name"),
    ],
)  # fmt: skip
def test_what_a_header_of_ours_lacks_is_refused_in_the_persons_line(before, body, code):
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"{before}\n__global__ void k() {{\n{body}\n}}"), "k")
    assert (error.value.what.code, error.value.line, error.value.file) == (code, 3, "")


def test_macros_of_a_source_and_of_a_header_of_ours_do_not_meet():
    before = f"#define N 7\n#define T x\n{_OPERATORS}\n#include <mma.h>\n"
    out, _ = _run(f"int t = threadIdx.x;\n{_FORMS[0][0]}", _WHOLE, 1, before=before)
    assert out[0] == _FIRST.sum()
    tokens = Preprocessor({}).run("#include <mma.h>\nWMMA_SHAPE", "")
    assert tokens[-2].text == "WMMA_SHAPE"


def test_a_compiler_of_device_code_gets_the_library_itself():
    source = read_cuda("#include <cub/cub.cuh>\n__global__ void k() {}")
    text = source.parsed.device_text(source.find_kernel("k"))
    assert "#include <cub/cub.cuh>" in text
    assert "class BlockReduce" not in text
