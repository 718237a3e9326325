"""The tree reduction has no barrier inside its loop, so a thread reads a partner's slot that may not be updated yet."""
import numpy as np
from numba import cuda, int32

BLOCK = 256


@cuda.jit
def block_max(x, out):
    buf = cuda.shared.array(BLOCK, int32)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < x.size:
        buf[tid] = x[i]
    else:
        buf[tid] = -2147483648
    cuda.syncthreads()

    s = BLOCK // 2
    while s > 0:
        if tid < s:
            buf[tid] = max(buf[tid], buf[tid + s])  # EXPECT: race
        s //= 2

    if tid == 0:
        out[cuda.blockIdx.x] = buf[0]


rng = np.random.default_rng(101)
x = rng.integers(-9999, 9999, 1900).astype(np.int32)
blocks = (x.size + BLOCK - 1) // BLOCK
d_out = cuda.device_array(blocks, dtype=np.int32)
block_max[blocks, BLOCK](cuda.to_device(x), d_out)
out = d_out.copy_to_host()
for b in range(blocks):
    assert out[b] == x[b * BLOCK : (b + 1) * BLOCK].max()
print("ok")
