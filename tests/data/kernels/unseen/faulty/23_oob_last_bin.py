"""A value equal to the upper limit falls into a bin behind the last one of the shared histogram."""
import numpy as np
from numba import cuda, int32

NBINS = 10


@cuda.jit
def score_histogram(scores, hist):
    local = cuda.shared.array(NBINS, int32)
    tid = cuda.threadIdx.x
    if tid < NBINS:
        local[tid] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < scores.size:
        b = scores[i] * NBINS // 100
        cuda.atomic.add(local, b, 1)  # EXPECT: out-of-bounds
    cuda.syncthreads()
    if tid < NBINS:
        cuda.atomic.add(hist, tid, local[tid])


scores = np.random.default_rng(123).integers(0, 101, 1300).astype(np.int32)  # 0 to 100 points
scores[::100] = 100
d_hist = cuda.to_device(np.zeros(NBINS, dtype=np.int32))
score_histogram[(scores.size + 127) // 128, 128](cuda.to_device(scores), d_hist)
expected = np.histogram(scores, bins=NBINS, range=(0, 100))[0]
np.testing.assert_array_equal(d_hist.copy_to_host(), expected)
print("ok")
