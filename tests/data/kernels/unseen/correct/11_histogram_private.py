"""256-bin histogram of bytes, privatised in shared memory, merged into global memory with atomics."""
import numpy as np
from numba import cuda, int32

BINS = 256


@cuda.jit
def histogram(data, hist):
    local = cuda.shared.array(BINS, int32)
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        local[b] = 0
    cuda.syncthreads()

    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, data.size, stride):
        cuda.atomic.add(local, data[i], 1)
    cuda.syncthreads()

    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        if local[b] > 0:
            cuda.atomic.add(hist, b, local[b])


rng = np.random.default_rng(12)
data = np.clip(rng.normal(120, 30, 6007), 0, 255).astype(np.uint8)
d_hist = cuda.to_device(np.zeros(BINS, dtype=np.int32))
histogram[4, 192](cuda.to_device(data), d_hist)
np.testing.assert_array_equal(d_hist.copy_to_host(), np.bincount(data, minlength=BINS))
print("ok")
