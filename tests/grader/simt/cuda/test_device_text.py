"""The text of a kernel for a compiler of device code: what is in it, and from which lines."""

from __future__ import annotations

import re

import numpy as np
import pytest

from bench.gpu.cuda.programs import programs
from grader.compiled import KernelCompiler, is_installed
from grader.gpu.devices.loading import FILE
from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.cuda.parser.device_text import MAIN
from tests.grader.simt.cuda.tools import files

HEADER = "__device__ inline float half_of(float x)\n{\n    return x / 2;\n}\n"
SOURCE = """#include <cstdio>
#include <vector>
#include "half.h"
#define ROUNDS 3
const int size = 8;
int calls = 0;
struct Sum {
    float x;
    __device__ void add(float y) { x += y; }
};
namespace ours {
constexpr int twice(int x) { return 2 * x; }
template <typename T, int N> __global__ void k(T *a)
{
    Sum sum = {0};
    #pragma unroll 2
    for (int i = 0; i < ROUNDS; ++i)
        sum.add(half_of(a[threadIdx.x]));
    a[threadIdx.x] = sum.x + twice(N) + size;
}
}
__global__ void other(float *a) { a[0] = std::max(a[0], 1.0f); }
void report(const std::vector<float> &v) { printf("%zu\\n", v.size()); }
int main() { return calls; }
"""


def read(source, name):
    parsed = read_cuda(source, path="k.cu", read=files({"half.h": HEADER}))
    written = parsed.parsed.parse_name("ours::k<float, 4>").parts[-1].arguments
    return lower_kernel(parsed, name, written)


def test_it_computes_the_same_without_what_is_for_the_host():
    kernel, _ = read(SOURCE, "k")
    text = kernel.function.device_text()
    for word in ("other", "vector", "printf", "main", "calls", "ROUNDS", "half.h\\"):
        assert word not in text
    again, _ = read(text, "k")
    both = [np.arange(32, dtype=np.float32) for _ in range(2)]
    for each, given in zip((kernel, again), both, strict=True):
        launch(each, 1, 32, [given])
    assert both[0].tolist() == both[1].tolist() == [1.5 * i + 16 for i in range(32)]


def test_each_line_is_where_the_source_has_it():
    """What stands in a line behind `#line` stands there in the file that it names."""
    kernel, _ = read(SOURCE, "k")
    lines = {MAIN: SOURCE.splitlines(), "half.h": HEADER.splitlines()}
    file, at, compared = MAIN, 1, 0
    for line in kernel.function.device_text().splitlines():
        if found := re.fullmatch(r'#line (\d+) "(.*)"', line):
            at, file = int(found[1]), found[2]
            continue
        words = set(re.findall(r"[a-z_]\w+", line)) - {"namespace", "ours"}
        if not line.startswith("#") and words:
            assert words <= set(re.findall(r"[a-z_]\w+", lines[file][at - 1])), line
            compared += 1
        at += 1
    assert compared > 10


_LAUNCHED = """#include <cuda.h>
#include <cassert>
typedef CUresult (*Encode)(CUtensorMap*, int);
typedef float real;
__global__ void k(real* a) { assert(a[threadIdx.x]==0 && -a[0] - -1 <= +1); }
"""


def test_what_an_assertion_says_is_written_as_in_the_source():
    """A compiler makes a text of the condition; a type that only the host names is left out."""
    kernel, _ = lower_kernel(read_cuda(_LAUNCHED, path="k.cu"), "k")
    text = kernel.function.device_text(entry="k")
    assert "a[threadIdx.x]==0 && -a[0] - -1 <= +1" in text
    assert "real" in text
    assert "Encode" not in text


def test_what_enumerations_of_cudas_headers_name_stays_a_name():
    body = "*a = __nv_cvt_float_to_fp8(2.0f, __NV_SATFINITE, __NV_E5M2);"
    text = f"#include <cuda_fp8.h>\n__global__ void k(unsigned char *a) {{ {body} }}"
    kernel, _ = lower_kernel(read_cuda(text), "k")
    assert "__NV_SATFINITE, __NV_E5M2" in kernel.function.device_text()


def test_the_source_is_called_as_the_process_that_compiles_calls_it():
    assert MAIN == FILE


@pytest.mark.skipif(not is_installed("cuda"), reason="needs the extra `compile`")
def test_nvrtc_compiles_it_with_the_lines_of_the_source():
    kernel, _ = read(SOURCE, "k")
    text, threads = kernel.function.device_text(), 32
    with KernelCompiler() as compiler:
        found = compiler.compile(
            text, "ours::k<float, 4>", (), threads, capabilities=("9.0",), language="cuda"
        )
    stores = [line.line for line in found.lines if line.counts.get("global-store")]
    assert stores == [SOURCE[: SOURCE.index("a[threadIdx.x] = sum")].count("\n") + 1]


@pytest.mark.parametrize("program", [*programs()][::10], ids=lambda program: program.name)
def test_the_text_of_a_solution_is_read_as_the_solution(program):
    source = read_cuda(program.source)
    [name] = source.kernels
    kernel, _ = lower_kernel(source, name)
    text = kernel.function.device_text()
    again, _ = lower_kernel(read_cuda(text), name)
    assert again.function.parameters == kernel.function.parameters
