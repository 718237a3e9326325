"""The last warp's steps are unrolled the old way, without syncwarp, as if the lanes of a warp always ran together."""
import numpy as np
from numba import cuda, float32

BLOCK = 128


@cuda.jit
def block_sum(x, out):
    s = cuda.shared.array(BLOCK, float32)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    s[tid] = x[i] if i < x.size else float32(0.0)
    cuda.syncthreads()
    if tid < 64:
        s[tid] += s[tid + 64]
    cuda.syncthreads()
    if tid < 32:
        s[tid] += s[tid + 32]  # EXPECT: race
        s[tid] += s[tid + 16]  # EXPECT: race
        s[tid] += s[tid + 8]  # EXPECT: race
        s[tid] += s[tid + 4]  # EXPECT: race
        s[tid] += s[tid + 2]  # EXPECT: race
        s[tid] += s[tid + 1]  # EXPECT: race
    if tid == 0:
        out[cuda.blockIdx.x] = s[0]


x = np.random.default_rng(103).random(1000, dtype=np.float32)
blocks = (x.size + BLOCK - 1) // BLOCK
d_out = cuda.device_array(blocks, dtype=np.float32)
block_sum[blocks, BLOCK](cuda.to_device(x), d_out)
np.testing.assert_allclose(d_out.copy_to_host().sum(), x.sum(), rtol=1e-4)
print("ok")
