"""What NVRTC gets for the host's headers: what passes in the emulator compiles for a GPU."""

from __future__ import annotations

import re

import pytest

from grader.gpu.devices.host_headers import PRELUDE, list_missing
from grader.gpu.devices.nvrtc import NotCompiled, compile_cubin, version
from grader.simt.cuda.headers import HEADER_MACROS
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.cuda.names import STANDARD_FUNCTIONS

SOURCES = {
    "cfloat": "o[0] = FLT_MAX + FLT_EPSILON + DBL_MIN;",
    "float.h": "constexpr float least = -FLT_MAX; o[0] = least;",
    "math.h": "o[0] = sqrtf(o[1]) + M_PI + fmaxf(1, 2) + INFINITY + NAN + HUGE_VAL;",
    "cmath": "o[0] = std::sqrt(o[1]) + std::abs(o[2]) + std::pow(o[1], 2.0f);",
    "algorithm": "o[0] = std::max(1.0f, o[2]) + std::min<float>(1, 2) + std::clamp(3, 1, 2);",
    "utility": "std::swap(o[0], o[1]); o[2] = std::isnormal(o[1]);",
    "stdio.h": 'printf("%f", o[0]);',
    "cstdio": 'printf("%f", o[0]);',
    "cstdlib": "o[0] = abs(-3) + labs(4l);",
    "cstdint": "std::uint8_t a = 3; uint64_t b = UINT32_MAX; o[0] = a + b + SIZE_MAX;",
    "stdint.h": "int32_t a = INT32_MAX; uintptr_t b = (uintptr_t)o; o[0] = a + b;",
    "climits": "o[0] = INT_MAX + 1.0f + CHAR_BIT;",
    "limits": "o[0] = std::numeric_limits<float>::max() + std::numeric_limits<int>::lowest();",
    "cassert": "assert(o[0] > 0);",
    "cstddef": "std::size_t n = 2; ptrdiff_t m = 1; o[n] = o[m];",
    "cstring": "o[0] = 1;",
    "iostream": "o[0] = 1;",
    "vector": "o[0] = 1;",
    "cublas_v2.h": "o[0] = 1;",
    "helper_cuda.h": "o[0] = 1;",
    "cuda_pipeline.h": (
        "__shared__ float s[64]; __pipeline_memcpy_async(s, o, 8, 4); __pipeline_commit();"
        "__pipeline_wait_prior(0); o[1] = s[0];"
    ),
    "cuda_pipeline_primitives.h": "__pipeline_commit(); __pipeline_wait_prior(2);",
    "cub/cub.cuh": (
        "__shared__ cub::BlockReduce<float, 32>::TempStorage s;"
        "o[0] = cub::BlockReduce<float, 32>(s).Sum(o[threadIdx.x]);"
    ),
    "cuda_runtime.h": "o[0] = sqrt(4) + floor(3) + log(threadIdx.x);",
    "device_launch_parameters.h": "uint i = threadIdx.x; o[i] = 1;",
}


def need_nvrtc() -> None:
    try:
        version()
    except (ImportError, RuntimeError) as error:  # cuda-bindings, or the library that it loads
        pytest.skip(f"needs cuda-bindings and NVRTC: {error}")


def text(header: str) -> str:
    return f"#include <{header}>\n__global__ void k(float *o) {{ {SOURCES[header]} }}\n"


@pytest.mark.parametrize("header", SOURCES)
def test_what_the_emulator_takes_compiles_for_a_gpu(header):
    lower_kernel(read_cuda(text(header)), "k")
    need_nvrtc()
    assert compile_cubin(text(header), "k.cu", "9.0").code


def test_a_mistake_keeps_its_line():
    need_nvrtc()
    with pytest.raises(NotCompiled, match=r"k\.cu\(2\)"):
        compile_cubin("#include <cfloat>\n__global__ void k() { nothing(); }\n", "k.cu", "9.0")


def test_every_macro_type_and_function_of_the_emulator_is_declared():
    for name, after in re.findall(r"#define (\w+)(.)", HEADER_MACROS):
        assert f"#ifndef {name}\n#define {name}{after}" in PRELUDE
    for name in STANDARD_FUNCTIONS:
        assert f"using ::{name};" in PRELUDE


def test_missing_are_known_headers_that_are_in_no_folder(tmp_path):
    (tmp_path / "cuda_fp16.h").write_text("")
    (tmp_path / "cublas_v2.h").write_text("")
    source = (
        "#include <cuda_fp16.h>\n  # include <cublas_v2.h>\n#include <cudnn.h>\n"
        '#include "own.cuh"\n// #include <nccl.h>\n'
    )
    found = list_missing(source, [tmp_path])
    assert {"cudnn.h", "cfloat", "math.h", "stdio.h"} <= {*found}
    assert not {"cuda_fp16.h", "cublas_v2.h", "own.cuh", "nccl.h"} & {*found}
