"""Libraries that a program calls on the host, and that run on the CPU: against NumPy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from quizapp.domain.errors import OK, SCRIPT

DATA = Path(__file__).parents[1] / "data"
pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)
M, N, K, ROOM = 5, 4, 3, 64


def _numbers(first, count=ROOM):
    return (((first + np.arange(count)) * 7 % 11) - 5) / 4


def _matrix(data, rows, columns, leading):
    """View columns of some memory as a matrix."""
    step = data.itemsize
    return np.lib.stride_tricks.as_strided(data, (rows, columns), (step, step * leading))


def _products():
    """Return what the products of one type leave."""
    for turn in range(4):
        a, b, c = (_numbers(first) for first in (0, 3, 5))
        left = _matrix(a, K, M, 6).T if turn & 1 else _matrix(a, M, K, 6)
        right = _matrix(b, N, K, 7).T if turn & 2 else _matrix(b, K, N, 7)
        out = _matrix(c, M, N, 8)
        out[:] = 0.5 * left @ right + (2 * out if turn else 0)
        yield c[:32]
    a, b, c = (_numbers(first) for first in (0, 3, 5))
    for each in (0, 1):
        out = _matrix(c[20 * each :], M, N, M)
        out += 2 * _matrix(a[15 * each :], M, K, M) @ _matrix(b, K, N, K)
    yield c[:40]


def _vectors():
    """Return what the functions of vectors leave and find."""
    x, y, a = (_numbers(first) for first in (0, 3, 5))
    y[:6] += 0.5 * x[:12:2]
    y[:12:3] *= 2
    x[:5], y[:10:2] = y[:10:2].copy(), x[:5].copy()
    x[20:25] = x[4::-1]
    yield x[:25].copy()
    yield y[:20].copy()
    yield [x[:9] @ y[16::-2], np.linalg.norm(x[:18:2]), np.abs(y[:9]).sum()]
    yield [np.abs(y[:9]).argmax() + 1, np.abs(x[:18:2]).argmin() + 1]
    matrix = _matrix(a, M, N, 6)
    y[:10:2] = 0.5 * matrix @ x[:4] + 2 * y[:10:2]
    y[:4] = 0.5 * matrix.T @ x[8::-2] + 2 * y[:4]
    yield y[:20].copy()
    matrix += 0.5 * np.outer(x[:5], y[:8:2])
    yield a[:24].copy()
    _matrix(y, N, M, 7)[:] = 0.5 * matrix.T + 2 * _matrix(x, N, M, 5)
    yield y[:35]


def _rest():
    a, b, out = _numbers(0), _numbers(3), _numbers(0)
    _matrix(out, M, N, M)[:] = _matrix(a, M, K, M) @ _matrix(b, N, K, N).T
    yield out[:20].copy()
    device = _numbers(1, 4)
    device[2] = out[:10] @ out[:10]
    yield device
    yield [*(out[:3] * device[1]), out[3]]
    product = _matrix(a, K, M, K).T @ _matrix(b, K, N, K) + _numbers(2, M)[:, None]
    gelu = product * (1 + np.tanh(np.sqrt(2 / np.pi) * (product + 0.044715 * product**3))) / 2
    yield gelu.T.reshape(-1)


def test_cublas_computes_what_numpy_does_and_is_said_to_run_on_the_cpu(quiz):
    shutil.copy(DATA / "cuda_blas.cu", quiz.folder / "blas.cu")
    done = quiz("profile", "blas.cu", "--json")
    assert done.returncode == OK, done.stderr
    report = json.loads(done.stdout)
    assert (report["on_cpu"], report["refused"]) == (["cuBLAS"], None)
    lines = [line for line in done.stderr.splitlines() if line]
    expected = [*_products(), *_products(), *_products(), *_vectors(), *_vectors(), *_rest()]
    for line, right in zip(lines, expected, strict=False):
        name, *found = line.replace(" x ", "-x ").split()
        found = [float(each) for each in found if not each.isalpha()]
        near = 1e-3 if name.startswith("H") else 1e-6
        assert np.allclose(found, right, near, near), line
    assert lines[len(expected) : len(expected) + 3] == [
        "CUBLAS_STATUS_INVALID_VALUE", "CUBLAS_STATUS_NOT_INITIALIZED", "cudaErrorIllegalAddress",
    ]  # fmt: skip


THRUST = """\
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <cstdio>
struct Square { __device__ float operator()(float x) const { return x * x; } };
struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Mix {
    template <class T> __device__ void operator()(T t) {
        thrust::get<2>(t) = thrust::get<0>(t) * 10 + thrust::get<1>(t);
    }
};
__global__ void twice(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] *= 2; }
int main() {
    thrust::host_vector<float> h(8);
    for (int i = 0; i < 8; i++) h[i] = i * 5 % 8;
    thrust::device_vector<float> d = h, e(8);
    thrust::sort(d.begin(), d.end());
    twice<<<1, 8>>>(thrust::raw_pointer_cast(&d[0]), 8);
    thrust::transform(d.begin(), d.end(), e.begin(), Square());
    thrust::transform(thrust::device, d.begin(), d.end(), e.begin(), d.begin(), Saxpy{2});
    float most = thrust::reduce(thrust::device, e.begin(), e.end(), -1.f, thrust::maximum<float>());
    printf("%g %g\\n", thrust::reduce(d.begin(), d.end(), 0.f, thrust::plus<float>()), most);
    thrust::device_vector<int> k(8), v(8);
    thrust::sequence(v.begin(), v.end());
    for (int i = 0; i < 8; i++) k[i] = i * 3 % 8;
    thrust::sort_by_key(k.begin(), k.end(), v.begin(), thrust::greater<int>());
    for (int i = 0; i < 8; i++) printf("%d:%d ", (int)k[i], (int)v[i]);
    auto first = thrust::make_zip_iterator(thrust::make_tuple(k.begin(), v.begin(), e.begin()));
    thrust::for_each(first, first + 8, Mix());
    thrust::inclusive_scan(v.begin(), v.end(), v.begin());
    int many = thrust::count_if(v.begin(), v.end(), [] __device__(int x) { return x > 10; });
    float *raw;
    cudaMalloc(&raw, 32);
    thrust::device_ptr<float> p(raw);
    thrust::fill(p, p + 8, 3.0f);
    thrust::fill(thrust::device, raw, raw + 2, 4.0f);
    twice<<<1, 8>>>(raw, 8);
    printf("\\n%g %d %d %g %g\\n", (float)e[3], (int)v.back(), many, (float)p[1], (float)p[7]);
    thrust::copy(d.begin(), d.end(), h.begin());
    thrust::counting_iterator<int> zero(0);
    thrust::plus<float> add; /* of std here, which has algorithms of these names */
    float sum = thrust::transform_reduce(thrust::device, zero, zero + 5, Square(), 0.f, add);
    printf("%g %g\\n", h[7], sum);
}
"""


def test_thrust_runs_on_the_cpu_between_launches(quiz):
    (quiz.folder / "program.cu").write_text(THRUST)
    done = quiz("profile", "program.cu", "--source")
    assert done.returncode == OK, done.stderr
    printed, _, report = done.stdout.partition("no faults in 2 launches")
    assert printed == ("672 196\n7:5 6:2 5:7 4:4 3:1 2:6 1:3 0:0 \n44 28 6 8 6\n224 30\n")
    assert "Thrust ran on the CPU and was not emulated" in report


FUNCTORS = """\
#include <cub/device/device_reduce.cuh>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <cstdio>
struct Put {
    int *to;
    double three;  // the bits of a number are no pointer
    __device__ void operator()(int i) const { to[i] = (int)three * i; }
};
struct Looked {
    const int *of;
    __device__ int operator()(int a, int b) const { return a + of[b]; }
};
struct Far { int **to; __device__ void operator()(int i) const { to[0][i] = i; } };
__global__ void fill(int *m, int **p, int *d) { m[threadIdx.x] = threadIdx.x; *p = d; }
int main() {
    thrust::device_vector<int> v(16);
    int *raw = thrust::raw_pointer_cast(v.data()), *d, *m, **p, h[16];
    cudaMalloc(&d, 64);
    cudaMalloc(&p, 8);
    cudaMallocManaged(&m, 128);
    thrust::counting_iterator<int> zero(0);
    thrust::for_each(zero, zero + 16, Put{raw, 3.0});
    auto turn = [=] __device__(int i) { d[i] = raw[15 - i]; };
    thrust::for_each(thrust::device, zero, zero + 16, turn);
    auto taken = thrust::make_transform_iterator(zero, [=] __device__(int i) { return d[i]; });
    fill<<<1, 32>>>(m, p, d);
    int sum = thrust::reduce(taken, taken + 16), all = thrust::reduce(thrust::device, m, m + 32);
    size_t bytes;
    void *room = nullptr;
    for (int again = 0; again < 2; ++again) {
        cub::DeviceReduce::Reduce(room, bytes, m, raw, 16, Looked{d}, 0);
        if (!again) cudaMalloc(&room, bytes);
    }
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\\n", h[0], h[15], sum, all, (int)v[0]);
    fflush(stdout);
    thrust::for_each(thrust::device, zero, zero + 16, Far{p});
}
"""


def test_functors_on_the_cpu_use_the_device_pointers_that_they_hold(quiz):
    (quiz.folder / "program.cu").write_text(FUNCTORS)
    done = quiz("profile", "program.cu", "--source")
    ended = "the program was ended by signal 11; no faults in 1 launch until then"
    printed, _, report = done.stdout.partition(ended)
    assert printed == "45 0 360 496 360\n"
    assert "Thrust, cub::DeviceReduce ran on the CPU" in report
    assert done.returncode == SCRIPT  # of Far, which loads its pointer
    assert "a functor that Thrust or CUB called on the CPU" in done.stderr


SORTED = """\
#include <cub/block/block_radix_sort.cuh>
__global__ void k(int *a) {
    typedef cub::BlockRadixSort<int, 64, 2> Sort;
    __shared__ typename Sort::TempStorage room;
    __shared__ int own[32][32];
    int keys[2] = {a[threadIdx.x], a[threadIdx.x + 64]};
    Sort(room).Sort(keys);
    own[threadIdx.x % 32][0] = keys[0];
    a[threadIdx.x] = own[threadIdx.x % 32][0];
}
"""


def test_conflicts_in_a_header_of_ours_are_not_the_line_s_that_calls_it(quiz):
    (quiz.folder / "k.cu").write_text(SORTED)
    asked = ("--grid", "1", "--block", "64", "--args", "a=i32[128]:random")
    report = json.loads(quiz("profile", "k.cu", *asked, "--json").stdout)
    (launch,) = report["launches"]
    assert {each["line"] for each in launch["worst"]} == {8, 9}
    assert launch["bound"]["cycles"]["shared"] < launch["totals"]["shared_load_wavefronts"]
    assert launch["libraries"] == ["CUB"]


CHOSEN = """\
#include <cstdio>
#include <cuda_fp16.h>
typedef void (*Change)(float*, int);
__device__ void one(float* p, int i) { p[i] += 1; }
template <typename T> __device__ void five(T* p, int i) { p[i] += 5; }
template <class T> struct Three { static constexpr int v = 3; };
template <Change f> __global__ void change(float* p) { f(p, threadIdx.x); }
template <Change f> void launch(float* p) { change<f><<<1, 4>>>(p); }
template <template <class> class C, int N> __global__ void add(float* p) {
    p[threadIdx.x] += C<int>::v * N;
}
int main() {
    float *p, h[4];
    cudaMalloc(&p, sizeof h);
    cudaMemset(p, 0, sizeof h);
    launch<one>(p);
    launch<&five<float>>(p);
    add<Three, 2><<<1, 4>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    half sum = 1.5f;
    sum += 0.25f;
    sum *= half(2.0f);
    printf("%g %g %g\\n", h[0], h[3], (float)sum);
}
"""


LAMBDAS = """\
#include <cstdio>
#include <tuple>
template <typename F> __global__ void each(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
namespace util {
template <typename T, typename F> void fill(T* p, int n, F make) {
    each<<<(n + 31) / 32, 32>>>(n, [=] __device__ (int i) { T v = make(i); p[i] = v; });
}
struct Params { float scale; int shift; };
void shifted(float* p, int n, Params q, const float& r) {
    const int off = 1;
    float acc = r;
    for (int k = 0; k < 2; ++k) {
        auto f = [p, q, off, more = acc + 1] __device__ (int i) -> void {
            float t = p[i] * q.scale;  // a comment
            if (i % 2 == off) { p[i] = t + q.shift; return; }
            p[i] = t + more;
        };
        each<<<1, n>>>(n, f);
    }
}
}
int main() {
    float *p, h[40], by = 2;
    cudaMalloc(&p, sizeof h);
    auto twice = [=] __host__ __device__ (int i) { return by * i; };
    util::fill(p, 40, twice);
    util::shifted(p, 40, {0.5f, 3}, 6.0f);
    each<<<1, 1>>>(1, [=] __device__ (int) mutable { atomicAdd(&p[1], by += 1); });
    std::pair<short, signed char> few(3, 4);
    const std::tuple<int, float> t{5, 0.5f};
    int limit = 1;
    each<<<1, 1>>>(1, [=] __device__ (int) {
        auto g = [&](float w) { return max(w, w + few.second + std::get<int>(t)); };
        p[2] = (g(1) > limit) + sizeof(std::tuple<int, float, short>) + g(2);
    });
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g %g %g\\n", h[0], h[1], h[2], h[3], h[39], twice(7));
}
"""


def test_kernels_take_lambdas_of_the_host(quiz):
    (quiz.folder / "program.cu").write_text(LAMBDAS)
    done = quiz("profile", "program.cu", "--source")
    assert done.returncode == OK, done.stderr
    odd = [(((start * 0.5) + 3) * 0.5) + 3 for start in (2, 6, 78)]
    assert done.stdout.startswith(f"10.5 {odd[0] + 3:g} 24 {odd[1]:g} {odd[2]:g} 14\n")


def test_the_host_chooses_functions_and_templates_of_the_device(quiz):
    (quiz.folder / "program.cu").write_text(CHOSEN)
    done = quiz("profile", "program.cu", "--source")
    assert done.returncode == OK, done.stderr
    assert done.stdout.startswith("12 12 3.5\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#include <thrust/sort.h>\nint main() {\n    thrust::set_union(1, 2);\n}\n",
         "program.cu:3:13: `set_union` of Thrust is not emulated"),
        (("#include <thrust/device_vector.h>\nstruct No {};\nint main() {\n"
         "    thrust::device_vector<int> d(4);\n"
         "    thrust::transform(d.begin(), d.end(), d.begin(), No());\n}\n"),
         "program.cu:5:22: "),
        ("#include <cublas_v2.h>\nint main() {\n    cublasStrsm(0);\n}\n",
         "program.cu:3:5: the emulator's CUDA runtime has no `cublasStrsm`"),
        ("#include <span>\nint main() {\n    std::span<int> s;\n}\n",
         "program.cu:3:10: `std::span` needs C++20"),
        (("#include <concepts>\ntemplate <class T>\nrequires true int f(T a) { return 0; }\n"
         "int main() {}\n"),
         "program.cu:3:1: `requires` needs C++20"),
        ("#include <cute/tensor.hpp>\nint main() {}\n",
         "program.cu:1:10: the header cute/tensor.hpp is not found; name its folder"),
    ],
)  # fmt: skip
def test_what_a_library_lacks_is_named_at_the_place_of_the_call(quiz, text, said):
    (quiz.folder / "program.cu").write_text(text)
    done = quiz("profile", "program.cu")
    assert done.returncode == SCRIPT
    assert done.stderr.startswith(said)
