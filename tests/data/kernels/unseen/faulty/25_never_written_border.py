"""The gradient kernel writes inner pixels only and leaves the border of its output unset."""
import math

import numpy as np
from numba import cuda, float32


@cuda.jit
def gradient(img, mag):  # EXPECT: never-written
    x, y = cuda.grid(2)
    h, w = img.shape
    if 0 < x < w - 1 and 0 < y < h - 1:
        gx = (img[y, x + 1] - img[y, x - 1]) * float32(0.5)
        gy = (img[y + 1, x] - img[y - 1, x]) * float32(0.5)
        mag[y, x] = math.sqrt(gx * gx + gy * gy)


img = np.random.default_rng(125).random((38, 52)).astype(np.float32)
d_mag = cuda.device_array(img.shape, dtype=np.float32)
gradient[(4, 5), (16, 8)](cuda.to_device(img), d_mag)

expected = np.zeros_like(img)
gx = (img[1:-1, 2:] - img[1:-1, :-2]) * 0.5
gy = (img[2:, 1:-1] - img[:-2, 1:-1]) * 0.5
expected[1:-1, 1:-1] = np.sqrt(gx * gx + gy * gy)
np.testing.assert_allclose(d_mag.copy_to_host(), expected, rtol=1e-4, atol=1e-6)
print("ok")
