"""Sum of a float32 vector by tree reduction in shared memory, the same kernel launched again on the partial sums."""
import numpy as np
from numba import cuda, float32

BLOCK = 128


@cuda.jit
def block_sum(x, partial):
    buf = cuda.shared.array(BLOCK, float32)
    tid = cuda.threadIdx.x
    i = cuda.blockIdx.x * BLOCK * 2 + tid

    v = float32(0.0)
    if i < x.size:
        v = x[i]
    if i + BLOCK < x.size:
        v += x[i + BLOCK]
    buf[tid] = v
    cuda.syncthreads()

    s = BLOCK // 2
    while s > 0:
        if tid < s:
            buf[tid] += buf[tid + s]
        cuda.syncthreads()
        s //= 2

    if tid == 0:
        partial[cuda.blockIdx.x] = buf[0]


def gpu_sum(x):
    data = cuda.to_device(x)
    while data.size > 1:
        blocks = (data.size + 2 * BLOCK - 1) // (2 * BLOCK)
        out = cuda.device_array(blocks, np.float32)
        block_sum[blocks, BLOCK](data, out)
        data = out
    return data.copy_to_host()[0]


x = np.random.default_rng(8).random(4321).astype(np.float32)
np.testing.assert_allclose(gpu_sum(x), x.sum(dtype=np.float64), rtol=1e-5)
print("ok")
