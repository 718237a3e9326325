"""Sparse matrix-vector product in CSR form, one warp per row, reduced with shuffles."""
import numpy as np
from numba import cuda, float64


@cuda.jit
def spmv(indptr, indices, values, x, y):
    warp = cuda.grid(1) // cuda.warpsize
    lane = cuda.threadIdx.x % cuda.warpsize
    n_rows = indptr.size - 1
    if warp < n_rows:
        begin = indptr[warp]
        end = indptr[warp + 1]
        acc = float64(0.0)
        k = begin + lane
        while k < end:
            acc += values[k] * x[indices[k]]
            k += 32
        delta = 16
        while delta > 0:
            acc += cuda.shfl_down_sync(0xFFFFFFFF, acc, delta)
            delta //= 2
        if lane == 0:
            y[warp] = acc


rng = np.random.default_rng(19)
n_rows, n_cols = 45, 300
dense = rng.standard_normal((n_rows, n_cols))
dense[rng.random((n_rows, n_cols)) > 0.2] = 0.0
dense[7] = 0.0

indptr = np.zeros(n_rows + 1, dtype=np.int32)
indptr[1:] = np.cumsum((dense != 0).sum(axis=1))
indices = np.nonzero(dense)[1].astype(np.int32)
values = dense[dense != 0]
x = rng.standard_normal(n_cols)

d_y = cuda.device_array(n_rows, dtype=np.float64)
threads = 128
blocks = (n_rows * 32 + threads - 1) // threads
spmv[blocks, threads](
    cuda.to_device(indptr), cuda.to_device(indices), cuda.to_device(values), cuda.to_device(x), d_y
)
np.testing.assert_allclose(d_y.copy_to_host(), dense @ x, rtol=1e-10, atol=1e-10)
print("ok")
