"""C = A @ B in float32, the kernel made by a factory for a tile size; none of M, N, K is a multiple of the tile."""
import numpy as np
from numba import cuda, float32


def make_gemm(ts):
    @cuda.jit
    def gemm(A, B, C):
        sA = cuda.shared.array((ts, ts), float32)
        sB = cuda.shared.array((ts, ts), float32)

        col, row = cuda.grid(2)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        M, K = A.shape
        N = B.shape[1]

        acc = float32(0.0)
        for t in range((K + ts - 1) // ts):
            ka = t * ts + tx
            kb = t * ts + ty
            if row < M and ka < K:
                sA[ty, tx] = A[row, ka]
            else:
                sA[ty, tx] = 0.0
            if kb < K and col < N:
                sB[ty, tx] = B[kb, col]
            else:
                sB[ty, tx] = 0.0
            cuda.syncthreads()

            for k in range(ts):
                acc += sA[ty, k] * sB[k, tx]
            cuda.syncthreads()

        if row < M and col < N:
            C[row, col] = acc

    return gemm


M, K, N = 19, 21, 13
rng = np.random.default_rng(6)
A = rng.standard_normal((M, K)).astype(np.float32)
B = rng.standard_normal((K, N)).astype(np.float32)
d_A = cuda.to_device(A)
d_B = cuda.to_device(B)
for ts in (4, 8):
    C = cuda.device_array((M, N), dtype=np.float32)
    grid = (-(-N // ts), -(-M // ts))
    make_gemm(ts)[grid, (ts, ts)](d_A, d_B, C)
    np.testing.assert_allclose(C.copy_to_host(), A @ B, rtol=1e-4, atol=1e-4)
print("ok")
