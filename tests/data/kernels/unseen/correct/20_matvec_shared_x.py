"""Matrix-vector product in float64, one thread per row, the vector staged through shared memory piece by piece."""
import numpy as np
from numba import cuda, float64

B = 64


@cuda.jit("void(float64[:,::1], float64[::1], float64[::1])")
def matvec(a, x, y):
    piece = cuda.shared.array(B, float64)
    row = cuda.grid(1)
    tid = cuda.threadIdx.x
    rows = a.shape[0]
    cols = a.shape[1]

    acc = 0.0
    for start in range(0, cols, B):
        if start + tid < cols:
            piece[tid] = x[start + tid]
        cuda.syncthreads()
        if row < rows:
            width = min(B, cols - start)
            for j in range(width):
                acc += a[row, start + j] * piece[j]
        cuda.syncthreads()

    if row < rows:
        y[row] = acc


rng = np.random.default_rng(20)
a = rng.standard_normal((150, 201))
x = rng.standard_normal(201)
d_y = cuda.device_array(150, dtype=np.float64)
matvec[(150 + B - 1) // B, B](cuda.to_device(a), cuda.to_device(x), d_y)
np.testing.assert_allclose(d_y.copy_to_host(), a @ x, rtol=1e-10, atol=1e-10)
print("ok")
