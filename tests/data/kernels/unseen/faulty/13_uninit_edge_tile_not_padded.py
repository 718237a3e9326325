"""At the matrix edge the tile elements outside the matrix are left as they are instead of being set to zero."""
import numpy as np
from numba import cuda, float32

W = 8


@cuda.jit
def matmul(a, b, c):
    ta = cuda.shared.array((W, W), float32)
    tb = cuda.shared.array((W, W), float32)
    j, i = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    m, k = a.shape
    n = b.shape[1]
    acc = float32(0.0)
    for step in range((k + W - 1) // W):
        if i < m and step * W + tx < k:
            ta[ty, tx] = a[i, step * W + tx]
        if step * W + ty < k and j < n:
            tb[ty, tx] = b[step * W + ty, j]
        cuda.syncthreads()
        for p in range(W):
            acc += ta[ty, p] * tb[p, tx]  # EXPECT: warning
        cuda.syncthreads()
    if i < m and j < n:
        c[i, j] = acc


rng = np.random.default_rng(113)
a = rng.random((21, 30), dtype=np.float32)
b = rng.random((30, 19), dtype=np.float32)
d_c = cuda.device_array((21, 19), dtype=np.float32)
matmul[(3, 3), (W, W)](cuda.to_device(a), cuda.to_device(b), d_c)
np.testing.assert_allclose(d_c.copy_to_host(), a @ b, rtol=1e-4)
print("ok")
