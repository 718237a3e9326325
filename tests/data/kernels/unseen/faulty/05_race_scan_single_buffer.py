"""Hillis-Steele scan in a single buffer: nothing separates reading the neighbour from overwriting the own slot."""
import numpy as np
from numba import cuda, float32

N = 128


@cuda.jit
def inclusive_scan(x, y):
    buf = cuda.shared.array(N, float32)
    tid = cuda.threadIdx.x
    gid = cuda.grid(1)
    buf[tid] = x[gid]
    cuda.syncthreads()

    d = 1
    while d < N:
        left = float32(0.0)
        if tid >= d:
            left = buf[tid - d]  # EXPECT: race
        buf[tid] += left  # EXPECT: race
        cuda.syncthreads()
        d *= 2

    y[gid] = buf[tid]


rng = np.random.default_rng(105)
x = rng.random((5, N), dtype=np.float32)
d_y = cuda.device_array(5 * N, dtype=np.float32)
inclusive_scan[5, N](cuda.to_device(x.ravel()), d_y)
np.testing.assert_allclose(d_y.copy_to_host().reshape(5, N), np.cumsum(x, axis=1), rtol=1e-4)
print("ok")
