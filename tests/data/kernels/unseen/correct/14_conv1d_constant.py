"""1-D convolution with weights in constant memory and a shared tile with a halo of the filter's radius."""
import numpy as np
from numba import cuda, float32

RADIUS = 4
BLOCK = 64
WIDTH = BLOCK + 2 * RADIUS
WEIGHTS = np.array([0.02, 0.05, 0.1, 0.2, 0.26, 0.2, 0.1, 0.05, 0.02], dtype=np.float32)


@cuda.jit
def conv1d(x, y):
    w = cuda.const.array_like(WEIGHTS)
    tile = cuda.shared.array(WIDTH, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * BLOCK - RADIUS

    for k in range(t, WIDTH, BLOCK):
        g = first + k
        if 0 <= g < x.size:
            tile[k] = x[g]
        else:
            tile[k] = 0.0
    cuda.syncthreads()

    i = cuda.grid(1)
    if i >= x.size:
        return
    acc = float32(0.0)
    for k in range(2 * RADIUS + 1):
        acc += w[k] * tile[t + k]
    y[i] = acc


n = 777
x = np.random.default_rng(15).standard_normal(n).astype(np.float32)
d_y = cuda.device_array(n, np.float32)
conv1d[(n + BLOCK - 1) // BLOCK, BLOCK](cuda.to_device(x), d_y)
np.testing.assert_allclose(d_y.copy_to_host(), np.convolve(x, WEIGHTS, mode="same"), rtol=1e-4, atol=1e-5)
print("ok")
