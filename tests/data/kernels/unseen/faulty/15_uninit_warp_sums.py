"""The first warp reads all 32 slots of the warp sums, though the block has only three warps that wrote theirs."""
import numpy as np
from numba import cuda, float32

THREADS = 96


@cuda.jit
def total(x, out):
    sums = cuda.shared.array(32, float32)
    tid = cuda.threadIdx.x
    lane = tid & 31
    warp = tid >> 5

    v = float32(0.0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        v += x[i]
    for d in (16, 8, 4, 2, 1):
        v += cuda.shfl_xor_sync(0xFFFFFFFF, v, d)
    if lane == 0:
        sums[warp] = v
    cuda.syncthreads()

    if warp == 0:
        v = sums[lane]  # EXPECT: uninitialised-read
        for d in (16, 8, 4, 2, 1):
            v += cuda.shfl_xor_sync(0xFFFFFFFF, v, d)
        if lane == 0:
            cuda.atomic.add(out, 0, v)


x = np.random.default_rng(115).random(2000, dtype=np.float32)
d_out = cuda.to_device(np.zeros(1, dtype=np.float32))
total[5, THREADS](cuda.to_device(x), d_out)
np.testing.assert_allclose(d_out.copy_to_host()[0], x.sum(), rtol=1e-4)
print("ok")
