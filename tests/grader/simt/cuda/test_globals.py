"""Variables outside of functions: constants of the source, and memory that a host may set."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from grader.simt.host.files.modules import split_kernel_name
from grader.simt.program.walking import walk_block


def test_constant_memory_begins_with_its_list_and_can_be_set():
    source = read_cuda("""
__constant__ float rows[2][3] = {{1, 2}, {4, 5, 6}};
__constant__ int set_later[4];
__global__ void k(float* out) {
    out[threadIdx.x] = rows[1][threadIdx.x % 3] + rows[0][2] + set_later[threadIdx.x & 3];
}
""")
    kernel, _ = lower_kernel(source, "k")
    source.symbols["set_later"][:] = [10, 20, 30, 40]
    out = np.zeros(8, np.float32)
    done = launch(kernel, 1, 8, [out])
    expected = [[4, 5, 6][t % 3] + [10, 20, 30, 40][t % 4] for t in range(8)]
    assert out.tolist() == expected
    assert done.totals["constant_load_requests"] == 3


def test_a_device_variable_keeps_its_value_from_launch_to_launch():
    source = read_cuda("""
__device__ unsigned int counter = 5;
__global__ void k() { atomicAdd(&counter, 1u); }
""")
    kernel, _ = lower_kernel(source, "k")
    for _ in range(2):
        assert launch(kernel, 4, 32, []).faults == ()
    assert source.symbols["counter"].tolist() == [5 + 2 * 128]


def test_a_race_on_a_device_variable_is_found():
    source = read_cuda("__device__ int last;\n__global__ void k() {\n    last = threadIdx.x;\n}\n")
    kernel, _ = lower_kernel(source, "k")
    (race,) = launch(kernel, 2, 32, []).faults
    assert (race.kind, race.line) == ("global-race", 3)


def test_enumerators_of_one_name_count_on_from_their_own_enum():
    source = read_cuda("""
enum class Low { x, y };
enum class High { x = 5, y };
namespace far { enum { u = 7, v }; }
namespace near { enum { u, v }; }
__global__ void k(int* out) {
    out[0] = (int)Low::y; out[1] = (int)High::y; out[2] = far::v; out[3] = near::v;
}
""")
    kernel, _ = lower_kernel(source, "k")
    out = np.zeros(4, np.int32)
    launch(kernel, 1, 1, [out])
    assert out.tolist() == [1, 6, 8, 1]


def test_an_index_that_is_a_long_product_of_sums_grows_with_its_length_alone():
    def nodes_of(factors: int) -> int:
        product = " * ".join(["(t + a)"] * factors)
        text = f"__global__ void k(int* p, int a) {{ int t = threadIdx.x; p[{product}] = 1; }}"
        kernel, _ = lower_kernel(read_cuda(text), "k")
        return sum(1 for _ in walk_block(kernel.compiled.lowered.body))

    assert nodes_of(16) <= 2 * nodes_of(8)


def test_a_host_variable_is_refused_by_its_name():
    source = read_cuda("int size = 4;\n__global__ void k(int* a) { a[0] = size; }\n")
    with pytest.raises(Refused) as raised:
        lower_kernel(source, "k")
    assert raised.value.line == 1  # where `__constant__` is to be written


def test_variables_of_one_name_in_two_namespaces_are_two():
    source = read_cuda("""
namespace near { __constant__ float scale[2] = {1, 2}; }
namespace far { __constant__ float scale[2] = {3, 4}; }
__global__ void k(float* out) { out[0] = near::scale[1]; out[1] = far::scale[1]; }
""")
    kernel, _ = lower_kernel(source, "k")
    out = np.zeros(2, np.float32)
    launch(kernel, 1, 1, [out])
    assert out.tolist() == [2, 4]
    assert set(source.symbols) == {"near::scale", "far::scale"}


def test_an_array_of_a_hundred_million_elements_takes_no_time_for_each():
    """What an array begins with is as much work as the values that are written for it."""
    for text in ("__device__ float s[1 << 27];", "__device__ float s[1 << 27] = {1, 2};"):
        source = read_cuda(f"{text}\n__global__ void k(float *o) {{ o[0] = s[1]; }}")
        kernel, _ = lower_kernel(source, "k")
        assert kernel.function.name == "k"


def test_shared_memory_of_the_whole_source_is_one_array_for_all_functions_of_a_block():
    source = read_cuda("""
__shared__ int own[32];
extern __shared__ short given[];
__device__ void write(int t) { own[t] = 100 * blockIdx.x + t; given[t] = t; }
__global__ void k(int* out) {
    int t = threadIdx.x;
    write(t);
    __syncthreads();
    out[blockIdx.x * 32 + t] = own[31 - t] + given[(t + 1) % 32];
}
""")
    kernel, _ = lower_kernel(source, "k")
    out = np.zeros(64, np.int32)
    done = launch(kernel, 2, 32, [out], shared_bytes=64)
    assert done.findings == ()
    assert done.shared_bytes == 32 * 4 + 64
    expected = [100 * b + 31 - t + (t + 1) % 32 for b in range(2) for t in range(32)]
    assert out.tolist() == expected


def test_an_initializer_of_shared_memory_of_the_whole_source_is_refused():
    source = read_cuda("__shared__ int own = 4;\n__global__ void k(int* a) { a[0] = own; }\n")
    with pytest.raises(Refused) as raised:
        lower_kernel(source, "k")
    assert raised.value.what.code == "cpp.shared-initializer"


@pytest.mark.parametrize(("threads", "kinds"), [(64, []), (96, ["resources"])])
def test_a_block_beyond_the_launch_bounds_is_not_launched(threads, kinds):
    """On an H200 `cuLaunchKernel` returns CUDA_ERROR_INVALID_VALUE for such a block."""
    source = read_cuda("""
template <int N> __global__ void __launch_bounds__(2 * N, 4) k(int* out) { out[threadIdx.x] = 1; }
""")
    kernel, _ = lower_kernel(source, *split_kernel_name(source, "k<32>"))
    done = launch(kernel, 1, threads, [np.zeros(128, np.int32)])
    assert [finding.kind for finding in done.findings] == kinds
