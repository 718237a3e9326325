"""Maximum over a trailing window, the window's length chosen at launch, tile and halo in dynamic shared memory."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def window_max(x, window, out):
    tile = cuda.shared.array(0, float32)
    tid = cuda.threadIdx.x
    size = cuda.blockDim.x + window - 1
    first = cuda.blockIdx.x * cuda.blockDim.x - (window - 1)

    k = tid
    while k < size:
        g = first + k
        if g < 0:
            g = 0
        if g < x.size:
            tile[k] = x[g]
        k += cuda.blockDim.x
    cuda.syncthreads()

    i = cuda.grid(1)
    if i < x.size:
        best = tile[tid]
        for j in range(1, window):
            best = max(best, tile[tid + j])
        out[i] = best


def run(x, window):
    threads = 96
    blocks = (x.size + threads - 1) // threads
    d_out = cuda.device_array(x.size, np.float32)
    shared_bytes = (threads + window - 1) * 4
    window_max[blocks, threads, 0, shared_bytes](cuda.to_device(x), window, d_out)
    return d_out.copy_to_host()


x = np.random.default_rng(28).standard_normal(1010).astype(np.float32)
for window in (1, 5, 20):
    expected = np.array([x[max(0, i - window + 1) : i + 1].max() for i in range(x.size)])
    np.testing.assert_array_equal(run(x, window), expected)
print("ok")
