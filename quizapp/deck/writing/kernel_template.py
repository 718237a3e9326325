"""The code that `quiz new kernel` writes beside its `question.yaml`: an example that passes.

Parts of 128 elements, each reversed through shared memory: every gate has something to do.
"""

from __future__ import annotations

_HEAD = """\
from numba import cuda, float32

SIZE = 128


@cuda.jit
def reverse(a, out):
"""

_TILE = """\
    part = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    length = min(SIZE, a.size - start)
    if t < length:
        part[t] = a[start + t]
"""

_STORE = """\
    if t < length:
        out[start + t] = part[length - 1 - t]
"""

_CUDA_HEAD = """\
extern "C" __global__ void reverse(const float* a, float* out, int n)
{
"""

_CUDA_TILE = """\
    __shared__ float part[128];
    int t = threadIdx.x;
    int start = blockIdx.x * 128;
    int length = min(128, n - start);
    if (t < length)
        part[t] = a[start + t];
"""

_CUDA_STORE = """\
    if (t < length)
        out[start + t] = part[length - 1 - t];
}
"""

FILES = {
    "starter.py": f"""\
{_HEAD}\
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    # Load a part into shared memory, wait for all of it, store it reversed.
""",
    "solution.py": f"{_HEAD}{_TILE}    cuda.syncthreads()\n{_STORE}",
    "reference.py": """\
import numpy as np


def reference(a):
    return np.concatenate([a[i : i + 128][::-1] for i in range(0, a.size, 128)])
""",
    "wrong/no-barrier.py": f"{_HEAD}{_TILE}{_STORE}",
    "wrong/not-shared.py": f"""\
{_HEAD}\
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * SIZE
    length = min(SIZE, a.size - start)
    if t < length:
        out[start + t] = a[start + length - 1 - t]
""",
    "starter.cu": f"""\
{_CUDA_HEAD}\
    int t = threadIdx.x;
    int start = blockIdx.x * 128;
    // Load a part into shared memory, wait for all of it, store it reversed.
}}
""",
    "solution.cu": f"{_CUDA_HEAD}{_CUDA_TILE}    __syncthreads();\n{_CUDA_STORE}",
    "wrong/no-barrier.cu": f"{_CUDA_HEAD}{_CUDA_TILE}{_CUDA_STORE}",
    "wrong/not-shared.cu": f"""\
{_CUDA_HEAD}\
    int t = threadIdx.x;
    int start = blockIdx.x * 128;
    int length = min(128, n - start);
    if (t < length)
        out[start + t] = a[start + length - 1 - t];
}}
""",
}
"""Text by path below the question's folder."""
