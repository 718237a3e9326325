"""`quiz profile program.cu`: whole programs in CUDA C++, whose host part is compiled."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT, USAGE
from tests.sampling import every

DATA = Path(__file__).parents[1] / "data"
needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)
RIGHT = """\
#include "scale.cuh"
#include <cuda_fp16.h>
#include <cstdio>
#include <vector>
#define SHOW(...) __VA_ARGS__; puts(#__VA_ARGS__)
#define LAUNCH(kernel, ...) kernel<<<2, 32>>>(__VA_ARGS__)

__constant__ float weights[2] = {1, 2};
__device__ volatile int calls;
struct Pair { float *values; int n; short more[2]; };
namespace own {
template <typename T, int N>
__global__ void add(const T *a, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * weights[1] + N;
    if (i == 0) {
        atomicAdd(&calls, 1);
        printf("in the kernel\\n");
    }
}
}
template <typename T> __global__ void put(T *out, Pair p) { out[0] = p.n; }
template <> __global__ void put<int>(int *out, Pair p) { out[0] = -p.n; }
__global__ void put(float *out, Pair p, float4 v) { out[0] = p.values[p.n] + v.z + p.more[1]; }
struct Large { float v[8191]; };
__global__ void last(Large p) { printf("%g\\n", p.v[8190]); }
__global__ void gather(float **rows, float *out) { out[threadIdx.x] = rows[threadIdx.x][0]; }

int main(int argc, char **argv) {
    std::vector<float> a(64, 3.0f);
    float *d, *out, *rows[2], **table;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    cudaMemcpy(d, a.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    float given[] = {0, 10};
    cudaMemcpyToSymbol(weights, given, sizeof given);
    printf("before\\n");
    own::add<float, 7><<<dim3(2), 32>>>(d, out, 64);
    cudaDeviceSynchronize();
    printf("after %g %g\\n", out[0], out[63]);
    LAUNCH(scale, d, twice(2.0f));
    int count;
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    rows[0] = d + 1, rows[1] = d + 2;
    cudaMalloc(&table, sizeof rows);
    cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
    gather<<<1, 2>>>(table, out);
    float two[2];
    cudaMemcpy(two, out, sizeof two, cudaMemcpyDefault);
    printf("%s %d %g %g\\n", argv[argc - 1], count, two[0], two[1]);
    printf("%s\\n", cudaGetErrorString(cudaMemcpy(two, d, 1000, cudaMemcpyDeviceToHost)));
    printf("%g\\n", __half2float(__float2half(0.1f)));
    int one, *ints = (int *)d;
    put<<<1, 1>>>(ints, {d, 5});
    cudaMemcpy(&one, d, sizeof one, cudaMemcpyDeviceToHost);
    put<<<1, 1>>>(out, {d, 6});
    cudaDeviceSynchronize();
    float before = *out;
    put<<<1, 1>>>(out, {d, 9, {0, 1}}, make_float4(0, 0, 100, 0));
    cudaDeviceSynchronize();
    printf("%d %g %g\\n", one, before, *out);
    Large all = {};
    all.v[8190] = 8;
    SHOW(last<<<1, 1>>>(all));
}
"""
INCLUDED = """\
#pragma once
__host__ __device__ inline float twice(float x) { return 2 * x; }
__global__ void scale(float *a, float by) { a[blockIdx.x * 32 + threadIdx.x] *= twice(by); }
"""


POOL = """
#include <cuda_runtime.h>
__global__ void hist(const int* x, int* h) { h[x[threadIdx.x] & 7]++; }
__global__ void copy(const int* w, int* g) { g[threadIdx.x + 1] = w[threadIdx.x]; }
__global__ void own(int* g, const int* w) { g[8] = w[0] + threadIdx.x; }
int main() {
  int* pool;
  cudaMalloc(&pool, 512);
  cudaMemset(pool, 0, 512);
  hist<<<1, 64>>>(pool + 64, pool);
  copy<<<1, 64>>>(pool, pool + 64);
  own<<<1, 64>>>(pool, pool + 4);
  own<<<1, 64>>>(pool, pool);
  cudaDeviceSynchronize();
}
"""


@pytest.fixture
def source(tmp_path):
    def write(text: str, name: str = "program.cu"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@needs_compiler
def test_a_program_computes_what_it_does_on_a_device(quiz, source):
    source(INCLUDED, "scale.cuh")
    done = quiz("profile", source(RIGHT), "--", "--size", "4")
    assert done.returncode == OK, done.stderr
    printed = done.stdout.splitlines()[:9]
    assert printed == [
        "before", "in the kernel", "after 37 37", "4 1 24 24", "invalid argument", "0.0999756",
        "-5 6 125", "8", "last<<<1, 1>>>(all)",
    ]  # fmt: skip
    assert "own::add" not in done.stderr
    lines = RIGHT.splitlines()
    for launch in ("own::add<float, 7><<<", "LAUNCH(scale", "gather<<<"):
        [at] = [at for at, line in enumerate(lines, 1) if line.strip().startswith(launch)]
        assert f"launched from line {at}" in done.stdout
    assert "scale.cuh" in done.stdout
    assert ": p.v: float32[8191]\n" in done.stdout


FORMS = """\
#include <cstdio>
struct Tree;
struct Forest { Tree *first; int size; };
struct Tree {
    typedef Tree *Link;
    int key;
    Tree *left;
    struct Tree *kids[2];
    Forest around;
    Link up;
};
template <class T> struct List { T value; List<T> *next; List *before; };
struct Inner { int x, y; __device__ Inner() : x(4) { y = 5; } };
struct Row {
    float v[4];
    int n = 3;
    Inner inner;
    __device__ Row(float s) { for (int i = 0; i < 4; i++) v[i] = s * i; }
    __device__ float sum() const { float s = n; for (int i = 0; i < 4; i++) s += v[i]; return s; }
};
struct Rows { Row a; Inner b; __device__ Rows(float s) : a(s) { b.x += 1; } };
template <class T> struct Pack {
    Pack() = default;
    __device__ Pack(T a, T b) : d{a, b} {}
    __device__ T &operator[](int i) { return d[i]; }
    static constexpr int size = 2;
    T d[size];
    int tag = 9;
};
namespace own {
template <typename T, int N = 2> __constant__ T table[4];
template <class T> constexpr T third = T(1) / 3;
}
template <typename T> __device__ T total = 5;
__device__ int start(3);
constexpr int A(2), B(-1);
const unsigned C(A), D(A + 1);
template <int N, class T> __device__ T sum(const T (&a)[N]) {
    T s = 0;
    for (int i = 0; i < N; i++) s += a[i];
    return s;
}
template <size_t R, size_t S> __device__ size_t area(float (&a)[R][S]) { return R * S; }

__global__ void links(const Tree *t, List<float> *l, int *out) {
    for (const Tree *each = t; each; each = each->left) out[0] += each->key;
    out[1] = t->kids[1]->key + t->up->around.first->key + t->around.size;
    out[2] = l->next->value * 10 + l->next->before->value;
}
#include <helper_functions.h>
#ifndef __CUDA_RUNTIME_H__
#error "headers of CUDA's samples ask for it"
#endif
__forceinline__ __device__ int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, a.y); }
__device__ int2 operator-(int2 a) { return make_int2(-a.x, a.y); }
template <class T> __global__ void __launch_bounds__(256) tables(T *out) {
    __shared__ T room[sizeof(T) == 8 ? 6000 : 1];
    room[0] = 0;
    if constexpr (sizeof(T) == 1) static_assert(!sizeof(T));
    else using namespace own;
    out[threadIdx.x] = own::table<T>[threadIdx.x] + own::table<T, 3>[1] + total<T> + start;
    out[threadIdx.x] += room[0] + A + B + C * D + (own::third<T> > 0);
}
__global__ void made(int *out) {
    Row row(2), two[2] = {Row(1), 5.0f};
    Rows rows(1);
    Pack<int> p(1, 2), q, zero{};
    for (int i = 0; i < q.size; i++) q[i] = i + 3;
    int b[4] = {1, 2, 3, 4};
    float m[2][3];
    out[0] = row.sum() + 100 * two[1].sum();
    out[1] = rows.a.sum() + 10 * rows.b.x + 100 * rows.b.y + 1000 * rows.a.inner.y;
    out[2] = p[1] + 10 * q[1] + 100 * q.tag + zero[0];
    out[3] = sum(b) + 100 * area(m) + 1000 * __hadd(7, 10) + 10000 * __rhadd(2, 3);
    out[3] += 100000 * (-make_int2(1, 2) + make_int2(3, 1)).x;
}
int main() {
    Tree *t;
    List<float> *l;
    int *out;
    cudaMallocManaged(&t, 3 * sizeof *t);
    cudaMallocManaged(&l, 2 * sizeof *l);
    cudaMallocManaged(&out, 16);
    for (int i = 0; i < 3; i++) t[i] = {i + 1, i < 2 ? t + i + 1 : 0, {t, t + 2}, {t + 1, 7}, t};
    l[0].next = l + 1, l[1].value = 2, l[1].before = l, l[0].value = 1;
    links << <1, 1 >> >(t, l, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\\n", out[0], out[1], out[2]);
    float given[4] = {1, 2, 3, 4}, more[4] = {10, 20, 30, 40}, *d;
    int four = 4;
    cudaMallocManaged(&d, 16);
    cudaMemcpyToSymbol(own::table<float>, given, 16);
    cudaMemcpyToSymbol(own::table<float, 3>, more, 16);
    cudaMemcpyToSymbol(start, &four, 4);
    tables<float> << <dim3(1), 4 >> > (d);
    cudaDeviceSynchronize();
    printf("%g %g\\n", d[0], d[3]);
    made<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    sdkWriteFile("/dev/null", given, 4, 0.0f, false);
    cudaFuncAttributes found;
    int blocks;
    cudaFuncGetAttributes(&found, tables<double>);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tables<double>, 256, 1024);
    printf("%zu %d %d\\n", found.sharedSizeBytes, found.maxThreadsPerBlock, blocks);
    printf("%d %d %d %d\\n", out[0], out[1], out[2], out[3]);
    unsigned char image[] = {0, 51, 255, 9, 8, 7}, *pixels = nullptr;
    unsigned w, h;
    float *grey = nullptr;
    sdkSavePGM("image.pgm", image, 3, 2);
    bool loads = sdkLoadPGM("image.pgm", &grey, &w, &h);
    loads = loads && !sdkLoadPPM4ub("image.pgm", &pixels, &w, &h);
    printf("%d %u %u %g %g\\n", loads, w, h, grey[1], grey[2]);
}
"""


@needs_compiler
def test_forms_in_which_programs_are_written(quiz, source):
    """The numbers follow from the text by hand."""
    done = quiz("profile", source(FORMS))
    assert done.returncode == OK, done.stdout + done.stderr
    assert done.stdout.splitlines()[:5] == [
        "6 12 21",
        "38 41",
        "48000 256 4",
        "3315 5559 942 238610",
        "1 3 2 0.2 1",
    ]


VARIADIC = """\
#include <cstdio>
template <typename F, typename... A> __global__ void apply(float *out, F f, A... a) {
    out[threadIdx.x] = f(threadIdx.x, a...);
}
struct Add { __device__ float operator()(int i, float x, int y) const { return i + x * y; } };
template <int... N> __global__ void sums(float *out) { out[0] += (N + ... + 0); }
int main() {
    float *d, h[32];
    cudaMalloc(&d, 128);
    apply<<<1, 32>>>(d, Add(), 1.5f, 2);
    sums<1, 2, 3><<<1, 1>>>(d);
    sums<><<<1, 1>>>(d);
    cudaMemcpy(h, d, 128, cudaMemcpyDefault);
    printf("%g %g\\n", h[0], h[31]);
}
"""


def test_kernels_with_packs_are_launched(quiz, source):
    done = quiz("profile", source(VARIADIC))
    assert done.returncode == OK, done.stdout + done.stderr
    assert done.stdout.splitlines()[0] == "9 34"
    for name in ("apply<Add, float, int>", "sums<1, 2, 3>", "sums<>"):
        assert name in done.stdout


FAULTY = """\
#include <cstdio>
__global__ void over(float *out, int n) {
    if (threadIdx.x < n)
        out[threadIdx.x] = 1; // here
}
__global__ void reverse(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    float *d;
    cudaMalloc(&d, 64 * sizeof(float));
    over<<<1, 64>>>(d + 1, 64);
    reverse<<<1, 64>>>(d);
    over<<<1, 2048>>>(d, 64);
    printf("%s\\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(d);
    over<<<1, 64>>>(d, 64);
    return (int)d[0];
}
"""


@needs_compiler
def test_faults_are_found_and_a_crash_keeps_the_report(quiz, source):
    done = quiz("profile", source(FAULTY), "--json")
    assert done.returncode == SCRIPT
    launches = json.loads(done.stdout)["launches"]
    kinds = [[finding["kind"] for finding in launch["findings"]] for launch in launches]
    assert kinds == [
        ["out-of-bounds"],
        ["uninitialised-read", "race"],
        ["resources"],
        ["out-of-bounds"],
    ]
    assert [launches[0]["findings"][0]["line"], launches[0]["caller"]["line"]] == [4, 14]
    assert launches[3]["findings"][0]["what"]["code"] == "finding.freed-pointer"
    assert "cudaErrorInvalidValue" in done.stderr
    assert "ended by signal" in done.stderr
    assert "through a pointer to device memory" in done.stderr


FREED = """\
__global__ void k(int *a) { *a = 1; }
int main() {
    int *a;
    cudaMallocManaged(&a, 4);
    k<<<1, 1>>>(a);
    cudaFree(a);
    return a[0];
}
"""


@needs_compiler
def test_a_host_that_reads_freed_memory_is_told_who_freed_it(quiz, source):
    done = quiz("profile", source(FREED))
    assert done.returncode == SCRIPT
    assert "program.cu:7: the host read or wrote memory that was freed at line 6\n" in done.stderr
    headline = done.stdout.splitlines()[0]
    assert headline == "the program was ended by signal 11; no faults in 1 launch until then"


ENDS = {
    # the launch : what the host learns of it, at the next call that waits
    "hang<<<1, 32>>>(d)": "the launch timed out and was terminated",
    "put<<<1, 32>>>(nullptr, 0)": "an illegal memory access was encountered",
    "put<<<1, 32>>>(&host, 0)": "an illegal memory access was encountered",
    "put<<<1, 32>>>(d, 1 << 30)": "an illegal memory access was encountered",
    "put<<<1, 32>>>((int *)((char *)d + 1), 0)": "misaligned address",
    "trap<<<1, 1>>>()": "unspecified launch failure",
    "fails<<<1, 1>>>(2)": "device-side assert triggered",
    "put<<<1, 32>>>(d, 64)": "no error",
}
ENDING = """\
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void hang(int *p) { while (atomicAdd(p, 0) == 0) {} }
__global__ void put(int *p, int n) { p[n + threadIdx.x] = 1; }
__global__ void trap() { __trap(); }
__global__ void fails(int n) { assert(n > 3); }
int main(int argc, char **argv) {
    int *d, host = 5;
    cudaMalloc(&d, 256);
    cudaMemset(d, 0, 256);
    switch (atoi(argv[1])) {
%s
    }
    printf("%%s\\n", cudaGetErrorString(cudaGetLastError()));
    put<<<1, 32>>>(d, 0);
    printf("%%s\\n", cudaGetErrorString(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost)));
    printf("%%s\\n", cudaGetErrorString(cudaGetLastError()));
    printf("%%s\\n%%d\\n", cudaGetErrorString(cudaFree(d)), host);
}
"""


@needs_compiler
@pytest.mark.parametrize("number", every(2, range(len(ENDS)), [*ENDS].__getitem__))
@pytest.mark.parametrize(
    "reads",
    [
        "--source",
        pytest.param(
            "--ptx",
            marks=pytest.mark.skipif(find_spec("cuda") is None, reason="needs the extra `compile`"),
        ),
    ],
)
def test_the_host_learns_how_a_launch_ended_as_on_a_device(quiz, source, reads, number):
    cases = "\n".join(f"    case {at}: {launch}; break;" for at, launch in enumerate(ENDS))
    done = quiz("profile", source(ENDING % cases), reads, "--", str(number))
    text = list(ENDS.values())[number]
    first, *later = done.stdout.splitlines()[:5]
    assert first == "no error"  # it is still running
    assert later == [text, text, text, "1" if text == "no error" else "5"]


@needs_compiler
def test_blocks_that_a_device_refuses_are_found_where_they_are_launched(quiz):
    path = DATA.parents[1] / "bench/gpu/launch_limits.cu"
    done = quiz("profile", str(path), "--json")
    launches = json.loads(done.stdout)["launches"]
    expected = (DATA / "launch_limits.csv").read_text(encoding="utf-8").splitlines()
    assert [line for line in done.stderr.splitlines() if "," in line][: len(expected)] == expected
    lines = path.read_text(encoding="utf-8").splitlines()
    found = {}
    for launch in launches:
        for finding in launch["findings"]:
            assert finding["line"] == launch["caller"]["line"]
            found[lines[finding["line"] - 1].strip()] = finding["what"]["code"]
    assert not [launch for launch in launches if launch["finished"] and launch["findings"]]
    assert (
        found.items()
        >= {
            "LAUNCH(k<0>, 1, 32, 49153);": "finding.opt-in",
            "LAUNCH(k<0>, 1, 32, 1 << 30);": "finding.shared-memory",
            "LAUNCH(held, 1, 32, 32769);": "finding.opt-in",
            "k<2><<<1, 32, 49153, stream>>>(out);": "finding.opt-in",
            "LAUNCH(few, 1, 256, 0);": "finding.launch-bounds",
        }.items()
    )
    assert len(found) == sum(not launch["finished"] for launch in launches)


UNWRITTEN = {
    # what the host does with int *d, *e of 64 elements : the launch, and its first unwritten index
    "": ("add", 0),
    "cudaMemset(d, 0, 64);": ("add", 16),
    "cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);": ("scale", 32),
    "cudaMemset(d, 0, 256); cudaFree(d); cudaMalloc(&d, 256);": ("scale", 0),
    "cudaMemset(e, 0, 4); cudaMemcpy(d, e, 256, cudaMemcpyDeviceToDevice);": ("scale", 1),
    "cudaMemset2D(d, 128, 0, 64, 2);": ("scale", 16),
    "fill<<<1, 30>>>(d, d);": ("scale", 30),
    "cudaMemset(d, 0, 256);": ("add", None),
    "fill<<<1, 64>>>(d, d);": ("scale", None),
    "cudaMemset(e, 0, 256); cudaMemcpy(d, e, 256, cudaMemcpyDeviceToDevice);": ("scale", None),
    "cudaMemcpy2D(d, 128, h, 128, 128, 2, cudaMemcpyHostToDevice);": ("add", None),
    "cudaMallocManaged(&d, 256); for (int i = 0; i < 64; i++) d[i] = i;": ("scale", None),
    "cudaGetSymbolAddress((void **)&d, symbol);": ("add", None),
    "cudaMemcpy(e, h, 256, cudaMemcpyHostToDevice);": ("through", None),
}
KERNELS = """\
__device__ int symbol[64];
__global__ void fill(int *a, int *) { a[threadIdx.x] = 1; }
__global__ void add(int *a, int *) {
    atomicAdd(&a[threadIdx.x], 1);
}
__global__ void scale(int *a, int *) {
    a[threadIdx.x] *= 2;
}
__global__ void through(int *a, int *b) {
    a[threadIdx.x] = b[threadIdx.x];
    b[threadIdx.x] = a[threadIdx.x];
}
"""


@needs_compiler
def test_device_memory_that_nothing_has_written_is_found_where_it_is_read(quiz, source):
    calls = [
        f"{{ int *d, *e; cudaMalloc(&d, 256); cudaMalloc(&e, 256); {given} "
        f"{kernel}<<<1, 64>>>(d, e); }}"
        for given, (kernel, _) in UNWRITTEN.items()
    ]
    program = KERNELS + "int main() { int h[64] = {};\n" + "\n".join(calls) + "\n}\n"
    done = quiz("profile", source(program), "--json")
    launches = [each for each in json.loads(done.stdout)["launches"] if each["kernel"] != "fill"]
    lines = {"add": 4, "scale": 7}
    for (given, (kernel, first)), launch in zip(UNWRITTEN.items(), launches, strict=True):
        found = [(each["line"], each["index"]) for each in launch["findings"]]
        assert found == ([] if first is None else [(lines[kernel], [first])]), given


UNCHECKED = """\
#include <cstdio>
#define CHECK(call) if ((call) != cudaSuccess) printf("failed\\n")
__global__ void k(int *a) { a[threadIdx.x] = 1; }
void copy(void *to, const void *from) {
    cudaMemcpy(to, from, 128, cudaMemcpyHostToDevice);
    if (cudaGetLastError() != cudaSuccess) printf("seen\\n");
}
int main(int argc, char **argv) {
    int *d, host[32], *none = nullptr;
    cudaMalloc(&d, 128);
    copy(host, d);
    CHECK(cudaMemcpy(d, host, 128, cudaMemcpyDeviceToHost));
    (void)cudaMemset(host, 0, 128);
    cudaError_t error = cudaFree(host);
    if (argc) cudaMemset(host, 0, 128); // here
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 << 10); // here
    for (int i = 0; i < 3; i++)
        cudaMemcpy(host, d, 128, // here
                   cudaMemcpyHostToDevice);
    k<<<0, 32>>>(d); // here
    k<<<1, 32>>>(d);
    cudaFree(none);
    return error == cudaSuccess;
}
"""


@needs_compiler
def test_a_finding_names_the_parameter_of_several_into_one_allocation(quiz, source):
    done = quiz("profile", source(POOL), "--json")
    launches = json.loads(done.stdout)["launches"]
    found = [launch["findings"][0] for launch in launches]
    assert [(each["array"], each["index"], each["address"]) for each in found] == [
        ("h", [0], 0), ("g", [64], 256), ("g", [8], 32), ("g", [8], 32),
    ]  # fmt: skip
    assert found[0]["what"]["fields"]["element"] == "h[0]"
    assert (found[1]["what"]["fields"]["array"], found[1]["what"]["fields"]["shape"]) == (
        "g", "64",
    )  # fmt: skip


def test_calls_that_fail_and_that_nobody_looked_at_are_warned_of(quiz, source):
    done = quiz("profile", source(UNCHECKED), "--json")
    assert done.returncode == OK, done.stderr
    [launch] = json.loads(done.stdout)["launches"]
    lines = [at for at, line in enumerate(UNCHECKED.splitlines(), 1) if "// here" in line]
    found = {each["line"]: each for each in launch["findings"]}
    assert sorted(found) == lines
    calls = [(found[at]["what"]["fields"]["call"], found[at]["count"]) for at in lines]
    assert calls == [
        ("cudaMemset", 1), ("cudaFuncSetAttribute", 1), ("cudaMemcpy", 3), ("k", 1),
    ]  # fmt: skip
    hint = found[lines[1]]["hint"]
    assert (hint["code"], hint["fields"]["left"]) == ("failure.beyond-shared", 232448)


EARLY = """\
#include <cstdio>
#include <cstring>
#include <numeric>
__global__ void add(const int *a, int *out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = a[threadIdx.x] + 1;
}
static int first(const int *from) {
    return from[0];
}
int main() {
    int *a, *out, *pinned, *d, host[32];
    cudaMallocManaged(&a, 128);
    cudaMallocManaged(&out, 1 << 20);
    cudaMallocHost(&pinned, 128);
    cudaMalloc(&d, 128);
    int *half = out + (1 << 17);
    for (int i = 0; i < 32; i++) a[i] = i;
    add<<<1, 32>>>(a, out, 32);
    int sum = a[3] + (half[0] = 5);
    cudaDeviceSynchronize();
    sum += out[0];
    add<<<1, 32>>>(a, out, 16);
    sum += out[20];
    cudaMemcpy(host, out, 128, cudaMemcpyDefault);
    sum += out[3];
    add<<<1, 32>>>(a, pinned, 32);
    add<<<1, 32>>>(a, out, 32);
    cudaMemcpyAsync(d, host, 128, cudaMemcpyHostToDevice);
    sum += first(pinned); // here
    memcpy(host, out, 128); // here
    add<<<1, 32>>>(a, pinned, 32);
    add<<<1, 32>>>(d, out, 32);
    sum += std::accumulate(pinned, pinned + 32, 0); // here
    out[0] = 3; // here
    float ms;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    add<<<1, 32>>>(d, d, 32);
    cudaEventRecord(end);
    cudaEventElapsedTime(&ms, begin, end); // here
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    printf("%d %d\\n", sum, host[31]);
}
"""


@needs_compiler
@pytest.mark.skipif(not shutil.which("addr2line"), reason="no addr2line")
def test_the_host_touches_what_a_kernel_writes_before_it_has_waited(quiz, source):
    done = quiz("profile", source(EARLY), "--json")
    assert done.returncode == FINDINGS, done.stderr
    assert done.stderr.splitlines()[0] == "563 32"
    found = [each for launch in json.loads(done.stdout)["launches"] for each in launch["findings"]]
    lines = [at for at, line in enumerate(EARLY.splitlines(), 1) if "// here" in line]
    assert sorted(each["line"] for each in found) == lines
    assert all("without waiting for it; call cuda" in each["sentence"] for each in found[:-1])
    codes = [each["what"]["code"] for each in found]
    assert codes == [*["finding.host-early"] * 4, "finding.early-time"]
    counts = [len(launch["findings"]) for launch in json.loads(done.stdout)["launches"]]
    assert counts == [0, 0, 1, 1, 1, 1, 1]


BROKEN = {
    "int main() { return x; }": ("program.cu:1:21: ", "was not declared"),
    (
        "typedef int (*F)(int);\n__device__ int f(int x) { return x; }\n"
        "__device__ F table[1] = {f};\nint main() {}"
    ): ("program.cu:3:", "a pointer to a function that follows from data is not emulated"),
    "__device__ int f(int x) { return x; }\nint main() { return f(1); }": (
        "program.cu:2:21: ",
        "was not declared",
    ),
    "#include <cusparse.h>\nint main() {}": ("program.cu:1:10: ", "cusparse.h is of cuSPARSE"),
    "#include <cusolverDn.h>\nint main() {}": ("program.cu:1:10: ", "cusolverDn.h is of cuSOLVER"),
    (
        "__global__ void f(int *a) {}\n__global__ void k(int *a) { f<<<1, 1>>>(a); }\n"
        "int main() { k<<<1, 1>>>(nullptr); }"
    ): ("program.cu:2:30: ", "launches kernels is not emulated; launch it from the host"),
    "#include <nowhere.h>\nint main() {}": ("program.cu:1:10: ", "nowhere.h"),
    "#include <omp.h>\nint main() { return omp_get_max_threads(); }": (
        "program.cu:2:1: ",
        '-fopenmp" quiz profile',
    ),
    "void f();\nint main() { f(); }": ("program.cu:2:1: ", "`f()` is used and not defined"),
    (
        "__global__ void k(int *a) { goto end; end: *a = 1; }\n"
        "int main() { int *a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); }"
    ): ("program.cu:1:", "goto"),
}


TILES = """\
#include "tiles.hpp"
#include "cutlass/util/clock.hpp"
#include <chrono>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cstdio>
using namespace std::chrono;
template <class T> __global__ void __launch_bounds__(decltype(T{nullptr})::size) put(T t) {
    t(threadIdx.x) = threadIdx.x * cuda::std::tuple_size<cuda::std::tuple<int, int>>::value;
}
int main() {
    Clock clock;
    steady_clock::time_point begun;
    float *d, h[8];
    cudaMalloc(&d, sizeof h);
    put<<<1, 8>>>(cute::make<cute::Int<8>>(d));
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
    cuFloatComplex z = cuCmulf(make_cuFloatComplex(h[1], h[2]), make_cuFloatComplex(0, 1));
    double4_32a v = make_double4_32a(1, 2, 3, 4);
    printf("%g %g %zu %x\\n", z.x, z.y, alignof(v), ((__half_raw)__half(1.5f)).x);
    printf("%d\\n", cuda::std::get<1>(cuda::std::tuple<int, int>(1, clock.read())));
}
"""
TILES_HEADERS = {
    "tiles.hpp": '#include "cute/tensor.hpp"\n',
    "cute/tensor.hpp": """\
#pragma once
#define HEADER(name) <cuda/std/name>
#include HEADER(tuple)
#if defined(__CUDACC__)
#define BOTH __host__ __device__
#else
#define BOTH inline
#endif
namespace cute {
template <int N> struct Int { static constexpr int value = N; };
template <class Pointer, class N> struct Tensor {
    static constexpr int size = N::value;
    Pointer data;
    BOTH auto &operator()(int i) { return data[i]; }
};
template <class N, class T> BOTH Tensor<T *, N> make(T *data) { return {data}; }
}
""",
    "cutlass/util/clock.hpp": """\
#pragma once
#include <iostream>
struct Clock {
    cudaEvent_t begun;
    Clock() { cudaEventCreate(&begun); }
    int read() { return std::cin.eof() ? 0 : 7; }
};
""",
}


@needs_compiler
@pytest.mark.skipif(find_spec("cuda") is None, reason="needs the extra `compile`")
def test_a_library_of_templates_that_only_a_compiler_reads(quiz, source, tmp_path):
    """Its types are arguments of a kernel; the host's part reads libcu++ and parts of its own."""
    for name, text in TILES_HEADERS.items():
        (tmp_path / "library" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "library" / name).write_text(text)
    done = quiz("profile", source(TILES), "--include", str(tmp_path / "library"))
    assert done.returncode == OK, done.stdout + done.stderr
    assert done.stdout.splitlines()[:2] == ["-4 2 32 3e00", "7"]
    assert "put<cute::Tensor<float*, cute::Int<8> >>  grid 1, block 8" in done.stdout


SPANS = """#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/std/span>
__global__ void sum(int *out, cuda::std::span<const int> in) {
    __shared__ int tile[32];
    auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, tile, in.data(), sizeof tile);
    cooperative_groups::wait(block);
    if (threadIdx.x == 0) for (int each : tile) *out += each + (int)in.size();
}
int main() {
    std::vector<int> given(32, 2);
    int *in, *out, all = 0;
    cudaMalloc(&in, 128); cudaMalloc(&out, 4); cudaMemset(out, 0, 4);
    cudaMemcpy(in, given.data(), 128, cudaMemcpyHostToDevice);
    cuda::std::span<int> whole(in, 32);
    sum<<<1, 32>>>(out, whole.subspan(0));
    cudaMemcpy(&all, out, 4, cudaMemcpyDeviceToHost);
    printf("%d\\n", all);
}
"""


@needs_compiler
@pytest.mark.skipif(find_spec("cuda") is None, reason="needs the extra `compile`")
def test_a_span_is_an_argument_of_what_a_compiler_reads(quiz, source):
    done = quiz("profile", source(SPANS))
    assert done.returncode == OK, done.stdout + done.stderr
    assert done.stdout.splitlines()[:2] == ["1088", "no faults in 1 launch"]


def _printed_by_an_h200():
    """Return what programs of tests/data/ptx printed on an H200, by their names."""
    whole = (DATA / "ptx" / "programs_h200.txt").read_text()
    parts = (part.partition("\n") for part in whole.split("## ")[1:])
    return {name: text for name, _, text in parts}


@needs_compiler
@pytest.mark.skipif(find_spec("cuda") is None, reason="needs the extra `compile`")
@pytest.mark.parametrize(("program", "printed"), _printed_by_an_h200().items())
def test_clusters_tensors_and_warpgroups_print_what_an_h200_does(quiz, program, printed):
    done = quiz("profile", str(DATA / "ptx" / program))
    assert done.returncode == OK
    assert done.stdout.startswith(f"{printed}no faults in ")


@needs_compiler
@pytest.mark.parametrize("text", BROKEN)
def test_what_does_not_run_is_shown_at_its_place(quiz, source, text):
    done = quiz("profile", source(text), "--source")  # a compiler reads more
    assert done.returncode == SCRIPT
    assert "Traceback" not in done.stderr
    line, *shown = done.stderr.strip().splitlines()
    for part in BROKEN[text]:
        assert part in line
    assert len(shown) == (2 if line.startswith("program.cu:") else 0)


@needs_compiler
def test_a_program_that_times_itself_is_told_once_whose_times_these_are(quiz, source):
    text = TIMED.format("    cudaEventElapsedTime(&ms, a, b);\n" * 2)
    done = quiz("profile", source(text), "--json")
    assert done.returncode == OK
    [line] = [line for line in done.stderr.splitlines() if "nothing about a GPU" in line]
    assert line.startswith("program.cu: the times between events are the emulator's")
    without = quiz("profile", source(TIMED.format("").replace("k<<<1, 32>>>(d);", ""))).stderr
    assert "nothing about" not in without
    assert "Add a launch below the kernels: kernel<<<blocks, threads>>>(…)." in without


TIMED = """\
__global__ void k(int *a) {{ a[threadIdx.x] = 1; }}
int main() {{
    int *d;
    float ms;
    cudaEvent_t a, b;
    cudaMalloc(&d, 128);
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    k<<<1, 32>>>(d);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
{}    return cudaDeviceSynchronize();
}}
"""


ARRAYS = r"""
#include <cstdio>
#include <cub/cub.cuh>
constexpr int n = 40;
__global__ void fill(int* a, float* f) {
  int i = threadIdx.x;
  if (i < n) { a[i] = (i * 37) % 11 - 5; f[i] = a[i] * 0.5f; }
}
template <class T> void show(const T* from, int count) {
  T own[n];
  cudaMemcpy(own, from, count * sizeof(T), cudaMemcpyDefault);
  for (int i = 0; i < count; ++i) printf("%g ", double(own[i]));
  puts("");
}
struct Positive { __host__ __device__ bool operator()(int v) const { return v > 0; } };
int main() {
  int *a, *b, *count; float *f, *g; void* t = nullptr; size_t bytes = 0;
  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&f, n * 4); cudaMalloc(&g, n * 4);
  cudaMalloc(&count, 4);
  fill<<<1, 64>>>(a, f);
  cub::DeviceReduce::Sum(t, bytes, a, b, n);
  cudaMalloc(&t, bytes);
  cub::DeviceReduce::Sum(t, bytes, a, b, n); show(b, 1);
  cub::DeviceReduce::Min(t, bytes, f, g, n); show(g, 1);
  cub::DeviceScan::InclusiveSum(t, bytes, a, b, n); show(b, n);
  cub::DeviceScan::ExclusiveSum(t, bytes, a, b, n); show(b, n);
  cub::DeviceRadixSort::SortKeys(t, bytes, f, g, n); show(g, n);
  cub::DeviceRadixSort::SortPairsDescending(t, bytes, f, g, a, b, n); show(b, n);
  cub::DoubleBuffer<int> keys(a, b);
  cub::DeviceRadixSort::SortKeys(t, bytes, keys, n); show(keys.Current(), n);
  cub::DeviceSelect::If(t, bytes, keys.Current(), keys.Alternate(), count, n, Positive());
  show(count, 1); show(keys.Alternate(), 3);
}
"""


def test_whole_arrays_that_cub_handles_are_computed_on_the_cpu_and_said_so(quiz, source):
    done = quiz("profile", source(ARRAYS))
    assert done.returncode == OK, done.stderr
    rows = [[float(each) for each in line.split()] for line in done.stdout.splitlines()[:9]]
    a = [(i * 37) % 11 - 5 for i in range(40)]
    sums = [sum(a[: i + 1]) for i in range(40)]
    assert rows[:4] == [[sum(a)], [min(a) / 2], sums, [0, *sums[:-1]]]
    ordered = sorted(a)
    assert rows[4:7] == [[each / 2 for each in ordered], ordered[::-1], ordered]
    positive = [each for each in ordered if each > 0]
    assert rows[7:] == [[len(positive)], positive[:3]]
    said = " ".join(done.stdout.split()).partition(" ran on the CPU")[0]
    for name in ("Reduce", "Scan", "RadixSort", "Select"):
        assert f"cub::Device{name}" in said


def test_without_a_compiler_a_line_says_what_to_do(quiz, source, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    done = quiz("profile", source("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }"))
    assert done.returncode == USAGE
    assert "no C++ compiler is found" in done.stderr
    assert "--kernel, --grid, --block, and --args" in done.stderr


@needs_compiler
def test_a_program_of_several_files_with_headers_elsewhere(quiz, source, tmp_path):
    (tmp_path / "headers").mkdir()
    of_device = "__device__ int f(int x) { return __shfl_down_sync(1, x, 1); }\n"
    text = f"#pragma once\n#define SIZE 4\n{of_device}void launch(int *a);\n"
    source(text, "headers/size.h")
    more = source(
        '#include "size.h"\n__global__ void k(int *a) { a[SIZE] = 1; }\n'
        "void launch(int *a) { k<<<1, 1>>>(a); }\n",
        "more.cu",
    )
    main = source(
        '\ufeff#include "size.h"\nextern "C" int size();\n'
        "int main() { int *a; cudaMalloc(&a, size() * sizeof(int)); launch(a); }\n"
    )
    apart = source(
        "static int launch(int new) { return new; }\nint size(void) { return launch(SIZE_OF); }\n",
        "apart.c",
    )
    done = quiz(
        "profile", main, "--with", more, "--with", apart, "--include", tmp_path / "headers",
        "-D", "SIZE_OF=4", "--json",
    )  # fmt: skip
    assert done.returncode == FINDINGS, done.stderr
    [launch] = json.loads(done.stdout)["launches"]
    assert (launch["file"], launch["findings"][0]["line"]) == (str(more), 2)
    assert launch["caller"] == {"file": str(more), "line": 3}


@needs_compiler
def test_a_kernel_is_chosen_and_the_exit_status_passed_on(quiz, source):
    text = (
        "__global__ void one(int *a) { a[0] = 1; }\n__global__ void two(int *a) { a[9] = 1; }\n"
        "int main() { int *a; cudaMalloc(&a, 4); one<<<1, 1>>>(a); two<<<1, 1>>>(a);"
        " return STATUS; }\n"
    )
    text = "#include <arpa/inet.h>\n" + text
    done = quiz("profile", source(text), "--kernel", "one", "-D", "STATUS=htons(0)")
    assert done.returncode == OK, done.stderr
    assert "two" not in done.stdout
    done = quiz("profile", source(text.replace("STATUS", "0")))
    assert done.returncode == FINDINGS


@needs_compiler
def test_the_same_finding_of_several_launches_is_told_once(quiz, source):
    text = (
        "__global__ void k(int *a, int n) { int i = threadIdx.x; if (i <= n) a[i] = i; }\n"
        "__global__ void sum(int *a) { __shared__ int s[128]; int i = threadIdx.x; s[i] = i;\n"
        "for (int w = 64; w > 0; w /= 2) if (i < w) s[i] += s[i + w];\n"
        "if (i == 0) a[0] = s[0]; }\n"
        "int main() { int *d; cudaMalloc(&d, 128);"
        " k<<<1, 64>>>(d, 32); k<<<1, 96>>>(d, 33); k<<<1, 64>>>(d, 32); k<<<1, 64>>>(d, 40);"
        " sum<<<1, 128>>>(d); }\n"
    )
    said = quiz("profile", source(text)).stdout
    assert said.count("✗ out of bounds") == 1
    assert "also in launches 2, 4\n" in said
    assert (said.count("✗ race"), said.count("also in")) == (2, 1)
    assert said.count("out of bounds in line 1, as in launch 1") == 2


@needs_compiler
@pytest.mark.parametrize(("name", "launches"), [("libraries", 7), ("synchronization", 8)])
def test_libraries_and_lambdas_compute_what_an_h200_does(quiz, name, launches):
    """What the headers of ours cost is no advice: the sort's conflicts are not the person's."""
    shutil.copy(DATA / f"cuda_{name}.cu", quiz.folder / "libraries.cu")
    ended = quiz("profile", "libraries.cu", "--source")
    printed, _, report = ended.stdout.partition(f"no faults in {launches} launches")
    assert printed == (DATA / f"cuda_{name}.txt").read_text()
    assert "of shared wavefronts" not in report


COOPERATIVE = """\
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void turn(int *a) {
    cg::grid_group grid = cg::this_grid();
    a[blockIdx.x] = blockIdx.x;
    if (!grid.is_valid()) return;
    grid.sync();
    a[gridDim.x + blockIdx.x] = a[(blockIdx.x + 1) % gridDim.x];
}
__global__ void meet(int *a) {
    cg::this_grid().sync(); // here
    *a = 1;
}
int main() {
    int *a;
    cudaMalloc(&a, 1 << 20);
    void *given[] = {&a};
    puts(cudaGetErrorName(cudaLaunchCooperativeKernel((void *)turn, dim3(4), dim3(1), given)));
    cudaLaunchAttribute asked[1];
    asked[0].id = cudaLaunchAttributeCooperative;
    asked[0].val.cooperative = 1;
    cudaLaunchConfig_t how = {dim3(4), dim3(1), 0, 0, asked, 1};
    puts(cudaGetErrorName(cudaLaunchKernelEx(&how, turn, a)));
    turn<<<4, 1>>>(a);
    for (int grid : {2 * 132, 2 * 132 + 1})
        puts(cudaGetErrorName(
            cudaLaunchCooperativeKernel((void *)meet, dim3(grid), dim3(1024), given)));
    puts(cudaGetErrorName(cudaGetLastError()));
    meet<<<4, 32>>>(a);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


@needs_compiler
def test_the_whole_grid_synchronizes_in_cooperative_launches_alone(quiz, source):
    done = quiz("profile", source(COOPERATIVE), "--json")
    assert done.returncode == FINDINGS, done.stderr
    too_large = "cudaErrorCooperativeLaunchTooLarge"
    said = [each for each in done.stderr.splitlines() if each.startswith("cuda")]
    assert said == ["cudaSuccess"] * 3 + [too_large] * 2 + ["cudaErrorLaunchFailure"]
    launches = json.loads(done.stdout)["launches"]
    assert [each["kernel"] for each in launches] == ["turn"] * 3 + ["meet"] * 2
    found = [(each["line"], each["what"]["code"]) for each in launches[-1]["findings"]]
    line = next(at for at, text in enumerate(COOPERATIVE.splitlines(), 1) if "// here" in text)
    assert found == [(line, "launch.not-cooperative")]
    assert not any(each["findings"] for each in launches[:-1])
