"""Row and column are swapped in the store although the image is wider than high."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def gamma_correct(src, dst, gain):
    x, y = cuda.grid(2)
    if y < src.shape[0] and x < src.shape[1]:
        v = src[y, x] * gain
        dst[x, y] = min(v * v, float32(1.0))  # EXPECT: out-of-bounds


h, w = 30, 50
img = np.random.default_rng(122).random((h, w), dtype=np.float32)
d_dst = cuda.to_device(np.zeros((h, w), dtype=np.float32))
gamma_correct[((w + 7) // 8, (h + 7) // 8), (8, 8)](cuda.to_device(img), d_dst, np.float32(1.2))
expected = np.minimum((img * np.float32(1.2)) ** 2, 1)
np.testing.assert_allclose(d_dst.copy_to_host(), expected, rtol=1e-5)
print("ok")
