"""RGB bytes to grey bytes with the usual weights, 2-D grid with guards."""
import numpy as np
from numba import cuda, float32, uint8

WR, WG, WB = 0.299, 0.587, 0.114


@cuda.jit
def grey(img, out):
    x, y = cuda.grid(2)
    if x >= out.shape[1] or y >= out.shape[0]:
        return
    r = float32(img[y, x, 0])
    g = float32(img[y, x, 1])
    b = float32(img[y, x, 2])
    v = float32(WR) * r + float32(WG) * g + float32(WB) * b
    out[y, x] = uint8(min(v + float32(0.5), float32(255.0)))


rng = np.random.default_rng(21)
img = rng.integers(0, 256, (47, 61, 3), dtype=np.uint8)
d_out = cuda.device_array((47, 61), dtype=np.uint8)
block = (16, 16)
grid = ((61 + 15) // 16, (47 + 15) // 16)
grey[grid, block](cuda.to_device(img), d_out)
expected = img[..., 0] * WR + img[..., 1] * WG + img[..., 2] * WB
assert np.abs(d_out.copy_to_host().astype(int) - expected).max() <= 0.51
print("ok")
