"""A device function with barriers is called by the first warp only."""
import numpy as np
from numba import cuda, float32

THREADS = 128


@cuda.jit(device=True)
def reduce_shared(buf, n, tid):
    s = n // 2
    while s > 0:
        if tid < s:
            buf[tid] += buf[tid + s]
        cuda.syncthreads()  # EXPECT: barrier-divergence
        s //= 2


@cuda.jit
def norm2(x, out):
    buf = cuda.shared.array(32, float32)
    tid = cuda.threadIdx.x
    if tid < 32:
        buf[tid] = 0.0
    cuda.syncthreads()

    acc = float32(0.0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        acc += x[i] * x[i]
    cuda.atomic.add(buf, tid % 32, acc)
    cuda.syncthreads()

    if tid < 32:
        reduce_shared(buf, 32, tid)  # EXPECT: barrier-divergence
        if tid == 0:
            cuda.atomic.add(out, 0, buf[0])


x = np.random.default_rng(119).random(1500, dtype=np.float32)
d_out = cuda.to_device(np.zeros(1, dtype=np.float32))
norm2[3, THREADS](cuda.to_device(x), d_out)
np.testing.assert_allclose(d_out.copy_to_host()[0], (x * x).sum(), rtol=1e-4)
print("ok")
