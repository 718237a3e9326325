"""Two float64 tiles of 64x64 take 64 KB of shared memory in a block, more than the 48 KB of static shared memory."""
import numpy as np
from numba import cuda, float64

N = 64


@cuda.jit
def product_in_shared(a, b, c):  # EXPECT: resources
    sa = cuda.shared.array((N, N), float64)
    sb = cuda.shared.array((N, N), float64)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    for r in range(y, N, cuda.blockDim.y):
        sa[r, x] = a[r, x]
        sb[r, x] = b[r, x]
    cuda.syncthreads()
    for r in range(y, N, cuda.blockDim.y):
        s = 0.0
        for k in range(N):
            s += sa[r, k] * sb[k, x]
        c[r, x] = s


rng = np.random.default_rng(130)
a = rng.random((N, N))
b = rng.random((N, N))
d_c = cuda.device_array((N, N), dtype=np.float64)
product_in_shared[1, (N, 4)](cuda.to_device(a), cuda.to_device(b), d_c)
np.testing.assert_allclose(d_c.copy_to_host(), a @ b, rtol=1e-10)
print("ok")
