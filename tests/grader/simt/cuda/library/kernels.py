"""Kernels of one expression or a few statements, made for a test and run in the emulator."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

TYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "half": np.float16,
    "half2": np.uint32,
    "__nv_bfloat16": np.uint16,
    "__nv_bfloat162": np.uint32,
    "bool": np.bool_,
    "short": np.int16,
    "unsigned short": np.uint16,
}

_HEAD = """#include <cuda_fp8.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
__device__ int larger(int a, int b) { return a > b ? a : b; }
__device__ int rank(cg::thread_group group, int more) { return group.thread_rank() + more; }
"""


def run(
    body: str, *arrays: Any, parameters: str, grid: int = 1, threads: int = 32, **more: Any
) -> Any:
    """Run `body` as a kernel; the arrays are its arguments, changed in place."""
    head = f"{_HEAD}__global__ void kernel({parameters})"
    source = f"{head} {{ int i = threadIdx.x; {body} }}"
    kernel, _ = lower_kernel(read_cuda(source), "kernel")
    return launch(kernel, grid, threads, list(arrays), **more)


def compute(expression: str, result: str, **given: Any) -> Any:
    """Return the values of an expression of `a`, `b`, …: each `(type, values)`, one per thread."""
    size = max(len(values) for _, values in given.values())
    arrays = [np.resize(np.array(values, TYPES[kind]), size) for kind, values in given.values()]
    out = np.zeros(size, TYPES[result])
    names = [f"const {kind}* p_{name}" for name, (kind, _) in given.items()]
    reads = " ".join(f"{kind} {name} = p_{name}[i];" for name, (kind, _) in given.items())
    done = run(
        f"{reads} out[i] = {expression};",
        *arrays,
        out,
        parameters=", ".join([*names, f"{result}* out"]),
        threads=size,
    )
    assert done.finished
    assert done.faults == ()
    return out
