"""The tiles are refilled for the next step without a barrier after the inner product, while slower threads still read them."""
import numpy as np
from numba import cuda, float32

TPB = 16


@cuda.jit
def matmul(A, B, C):
    As = cuda.shared.array((TPB, TPB), dtype=float32)
    Bs = cuda.shared.array((TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y

    tmp = float32(0.0)
    for i in range(A.shape[1] // TPB):
        As[ty, tx] = A[y, tx + i * TPB]  # EXPECT: race
        Bs[ty, tx] = B[ty + i * TPB, x]  # EXPECT: race
        cuda.syncthreads()
        for j in range(TPB):
            tmp += As[ty, j] * Bs[j, tx]  # EXPECT: race
    C[y, x] = tmp


rng = np.random.default_rng(102)
A = rng.random((32, 64), dtype=np.float32)
B = rng.random((64, 48), dtype=np.float32)
d_C = cuda.device_array((32, 48), dtype=np.float32)
matmul[(48 // TPB, 32 // TPB), (TPB, TPB)](cuda.to_device(A), cuda.to_device(B), d_C)
np.testing.assert_allclose(d_C.copy_to_host(), A @ B, rtol=1e-4)
print("ok")
