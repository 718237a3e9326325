"""Four elements a thread, but the elements left over when the length is no multiple of four are never handled."""
import numpy as np
from numba import cuda


@cuda.jit
def clamp4(x, lo, hi, y):  # EXPECT: never-written
    base = cuda.grid(1) * 4
    if base + 3 < x.size:
        for k in range(4):
            v = x[base + k]
            if v < lo:
                v = lo
            elif v > hi:
                v = hi
            y[base + k] = v


n = 2003
x = np.random.default_rng(124).integers(-100, 100, n).astype(np.int32)
d_y = cuda.device_array(n, dtype=np.int32)
threads = 128
blocks = (n + 4 * threads - 1) // (4 * threads)
clamp4[blocks, threads](cuda.to_device(x), np.int32(-50), np.int32(50), d_y)
np.testing.assert_array_equal(d_y.copy_to_host(), np.clip(x, -50, 50))
print("ok")
