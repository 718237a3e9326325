"""Sums of variable-length segments, one warp each, reduced through shared memory with syncwarp between the steps."""
import numpy as np
from numba import cuda, float32

WARPS = 4


@cuda.jit
def segment_sum(values, offsets, sums):
    buf = cuda.shared.array((WARPS, 32), float32)
    warp = cuda.threadIdx.x // 32
    lane = cuda.threadIdx.x % 32
    seg = cuda.blockIdx.x * WARPS + warp
    if seg >= sums.size:
        return

    acc = float32(0.0)
    for k in range(offsets[seg] + lane, offsets[seg + 1], 32):
        acc += values[k]
    buf[warp, lane] = acc
    cuda.syncwarp()

    step = 16
    while step > 0:
        if lane < step:
            buf[warp, lane] += buf[warp, lane + step]
        cuda.syncwarp()
        step //= 2

    if lane == 0:
        sums[seg] = buf[warp, 0]


rng = np.random.default_rng(25)
lengths = rng.integers(0, 90, 30)
lengths[4] = 0
offsets = np.zeros(31, dtype=np.int32)
offsets[1:] = np.cumsum(lengths)
values = rng.random(offsets[-1]).astype(np.float32)
d_sums = cuda.device_array(30, dtype=np.float32)
segment_sum[(30 + WARPS - 1) // WARPS, WARPS * 32](cuda.to_device(values), cuda.to_device(offsets), d_sums)
expected = [values[offsets[s] : offsets[s + 1]].sum() for s in range(30)]
np.testing.assert_allclose(d_sums.copy_to_host(), expected, rtol=1e-5, atol=1e-6)
print("ok")
