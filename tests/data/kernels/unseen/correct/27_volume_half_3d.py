"""Mean of the six neighbours and the centre in a float16 volume (edges clamped), 3-D blocks, summed in float32."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def smooth(vol, out):
    x, y, z = cuda.grid(3)
    nz, ny, nx = vol.shape
    if x >= nx or y >= ny or z >= nz:
        return
    xm = max(x - 1, 0)
    xp = min(x + 1, nx - 1)
    ym = max(y - 1, 0)
    yp = min(y + 1, ny - 1)
    zm = max(z - 1, 0)
    zp = min(z + 1, nz - 1)
    acc = float32(vol[z, y, x])
    acc += float32(vol[z, y, xm]) + float32(vol[z, y, xp])
    acc += float32(vol[z, ym, x]) + float32(vol[z, yp, x])
    acc += float32(vol[zm, y, x]) + float32(vol[zp, y, x])
    out[z, y, x] = acc / float32(7.0)


rng = np.random.default_rng(27)
vol = rng.random((9, 13, 18)).astype(np.float16)
d_out = cuda.device_array(vol.shape, dtype=np.float32)
block = (8, 4, 2)
grid = tuple((n + b - 1) // b for n, b in zip(vol.shape[::-1], block))
smooth[grid, block](cuda.to_device(vol), d_out)

p = np.pad(vol.astype(np.float32), 1, mode="edge")
ref = (
    p[1:-1, 1:-1, 1:-1]
    + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1]
    + p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1]
) / 7
np.testing.assert_allclose(d_out.copy_to_host(), ref, rtol=1e-5)
print("ok")
