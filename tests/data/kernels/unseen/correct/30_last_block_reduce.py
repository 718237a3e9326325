"""Minimum, maximum and sum in a single launch: atomics for the extremes, the last block to finish adds the partial sums."""
import numpy as np
from numba import cuda, float64, int32

B = 64


@cuda.jit
def stats(x, partial, ticket, lo, hi, total):
    buf = cuda.shared.array(B, float64)
    is_last = cuda.shared.array(1, int32)
    tid = cuda.threadIdx.x

    acc = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        v = x[i]
        acc += v
        cuda.atomic.min(lo, 0, v)
        cuda.atomic.max(hi, 0, v)
    buf[tid] = acc
    cuda.syncthreads()

    s = B // 2
    while s > 0:
        if tid < s:
            buf[tid] += buf[tid + s]
        cuda.syncthreads()
        s //= 2

    if tid == 0:
        partial[cuda.blockIdx.x] = buf[0]
        cuda.threadfence()
        before = cuda.atomic.add(ticket, 0, 1)
        is_last[0] = 1 if before == cuda.gridDim.x - 1 else 0
    cuda.syncthreads()

    if is_last[0] == 1 and tid == 0:
        cuda.threadfence()
        t = 0.0
        for b in range(cuda.gridDim.x):
            t += partial[b]
        total[0] = t


rng = np.random.default_rng(30)
x = rng.standard_normal(1234)
blocks = 7
d_partial = cuda.device_array(blocks, dtype=np.float64)
d_ticket = cuda.to_device(np.zeros(1, dtype=np.int32))
d_lo = cuda.to_device(np.array([np.inf]))
d_hi = cuda.to_device(np.array([-np.inf]))
d_total = cuda.device_array(1, dtype=np.float64)
stats[blocks, B](cuda.to_device(x), d_partial, d_ticket, d_lo, d_hi, d_total)
assert d_lo.copy_to_host()[0] == x.min()
assert d_hi.copy_to_host()[0] == x.max()
np.testing.assert_allclose(d_total.copy_to_host()[0], x.sum(), rtol=1e-10, atol=1e-10)
print("ok")
