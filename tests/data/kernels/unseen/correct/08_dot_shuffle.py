"""Dot product: grid-stride loop, warp shuffle, one shared slot per warp, one global atomic per block."""
import numpy as np
from numba import cuda, float32

THREADS = 128
WARPS = THREADS // 32
FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(v):
    offset = 16
    while offset > 0:
        v += cuda.shfl_down_sync(FULL, v, offset)
        offset >>= 1
    return v


@cuda.jit
def dot(a, b, out):
    sums = cuda.shared.array(WARPS, float32)
    tid = cuda.threadIdx.x
    lane = tid % 32
    warp = tid // 32

    acc = float32(0.0)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        acc += a[i] * b[i]

    acc = warp_sum(acc)
    if lane == 0:
        sums[warp] = acc
    cuda.syncthreads()

    if warp == 0:
        v = float32(0.0)
        if lane < WARPS:
            v = sums[lane]
        v = warp_sum(v)
        if lane == 0:
            cuda.atomic.add(out, 0, v)


n = 2777
rng = np.random.default_rng(9)
a = rng.random(n, dtype=np.float32)
b = rng.random(n, dtype=np.float32)
out = cuda.to_device(np.zeros(1, dtype=np.float32))
dot[6, THREADS](cuda.to_device(a), cuda.to_device(b), out)
np.testing.assert_allclose(out.copy_to_host()[0], np.dot(a.astype(np.float64), b), rtol=1e-5)
print("ok")
