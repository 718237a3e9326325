"""The shared histogram is never set to zero before the threads count into it."""
import numpy as np
from numba import cuda, int32

BINS = 64


@cuda.jit
def histogram(values, lo, hi, hist):
    local = cuda.shared.array(BINS, int32)
    tid = cuda.threadIdx.x
    scale = BINS / (hi - lo)
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        b = int((values[i] - lo) * scale)
        if values[i] >= lo and b < BINS:
            cuda.atomic.add(local, b, 1)  # EXPECT: uninitialised-read
    cuda.syncthreads()
    for b in range(tid, BINS, cuda.blockDim.x):
        cuda.atomic.add(hist, b, local[b])  # EXPECT: uninitialised-read


rng = np.random.default_rng(112)
values = rng.normal(0.0, 1.0, 2500)
d_hist = cuda.to_device(np.zeros(BINS, dtype=np.int32))
histogram[5, 96](cuda.to_device(values), -3.0, 3.0, d_hist)
b = ((values + 3.0) * (BINS / 6.0)).astype(int)
b = b[(values >= -3.0) & (b < BINS)]
np.testing.assert_array_equal(d_hist.copy_to_host(), np.bincount(b, minlength=BINS))
print("ok")
