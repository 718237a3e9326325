"""The barrier of the reduction step stands inside `if tid < s`, where only the adding threads reach it."""
import numpy as np
from numba import cuda, int64

BLOCK = 128


@cuda.jit
def block_sum(x, out):
    buf = cuda.shared.array(BLOCK, int64)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    buf[tid] = x[i] if i < x.size else 0
    cuda.syncthreads()
    s = BLOCK // 2
    while s > 0:
        if tid < s:
            buf[tid] += buf[tid + s]
            cuda.syncthreads()  # EXPECT: barrier-divergence
        s = s // 2
    if tid == 0:
        cuda.atomic.add(out, 0, buf[0])


x = np.random.default_rng(117).integers(-(10**9), 10**9, 900)
d_out = cuda.to_device(np.zeros(1, dtype=np.int64))
block_sum[(x.size + BLOCK - 1) // BLOCK, BLOCK](cuda.to_device(x), d_out)
assert d_out.copy_to_host()[0] == x.sum()
print("ok")
