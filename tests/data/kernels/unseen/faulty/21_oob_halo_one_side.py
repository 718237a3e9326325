"""The shared tile has room for one halo only, so the right halo is written and read behind its end."""
import numpy as np
from numba import cuda, float32


def make_box_filter(block, radius):
    width = block + radius
    taps = 2 * radius + 1

    @cuda.jit
    def box_filter(x, y):
        tile = cuda.shared.array(width, float32)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        n = x.size

        tile[t + radius] = x[i] if i < n else float32(0.0)
        if t < radius:
            tile[t] = x[i - radius] if i >= radius else float32(0.0)
            tile[t + radius + block] = x[i + block] if i + block < n else float32(0.0)  # EXPECT: out-of-bounds
        cuda.syncthreads()

        if i < n:
            s = float32(0.0)
            for k in range(taps):
                s += tile[t + k]  # EXPECT: out-of-bounds
            y[i] = s / float32(taps)

    return box_filter


BLOCK, RADIUS = 64, 3
x = np.random.default_rng(121).random(900, dtype=np.float32)
d_y = cuda.device_array(x.size, dtype=np.float32)
make_box_filter(BLOCK, RADIUS)[(x.size + BLOCK - 1) // BLOCK, BLOCK](cuda.to_device(x), d_y)
expected = np.convolve(x, np.ones(2 * RADIUS + 1) / (2 * RADIUS + 1), mode="same")
np.testing.assert_allclose(d_y.copy_to_host(), expected, rtol=1e-4)
print("ok")
