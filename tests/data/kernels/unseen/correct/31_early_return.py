"""Threads past the end return before the barrier that the rest of their block waits at."""
import numpy as np
from numba import cuda, float32

BLOCK = 128


@cuda.jit
def backward_difference(x, d):
    s = cuda.shared.array(BLOCK, float32)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    if i >= x.size:
        return
    s[tid] = x[i]
    cuda.syncthreads()
    if tid > 0:
        d[i] = s[tid] - s[tid - 1]
    elif i > 0:
        d[i] = s[tid] - x[i - 1]
    else:
        d[i] = 0.0


x = np.random.default_rng(116).random(1111, dtype=np.float32)
d_d = cuda.device_array(x.size, dtype=np.float32)
backward_difference[(x.size + BLOCK - 1) // BLOCK, BLOCK](cuda.to_device(x), d_d)
np.testing.assert_allclose(d_d.copy_to_host(), np.diff(x, prepend=x[0]), rtol=1e-5)
print("ok")
