"""Exclusive scan (Blelloch up-sweep and down-sweep) of 512 int64 values per block with 256 threads."""
import numpy as np
from numba import cuda, int64

N = 512


@cuda.jit
def blelloch(data, out):
    temp = cuda.shared.array(N, int64)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * N
    temp[2 * t] = data[base + 2 * t]
    temp[2 * t + 1] = data[base + 2 * t + 1]

    offset = 1
    d = N >> 1
    while d > 0:
        cuda.syncthreads()
        if t < d:
            ai = offset * (2 * t + 1) - 1
            bi = offset * (2 * t + 2) - 1
            temp[bi] += temp[ai]
        offset *= 2
        d >>= 1

    cuda.syncthreads()
    if t == 0:
        temp[N - 1] = 0

    d = 1
    while d < N:
        offset >>= 1
        cuda.syncthreads()
        if t < d:
            ai = offset * (2 * t + 1) - 1
            bi = offset * (2 * t + 2) - 1
            left = temp[ai]
            temp[ai] = temp[bi]
            temp[bi] += left
        d *= 2

    cuda.syncthreads()
    out[base + 2 * t] = temp[2 * t]
    out[base + 2 * t + 1] = temp[2 * t + 1]


rng = np.random.default_rng(11)
data = rng.integers(-(10**12), 10**12, (3, N))
d_out = cuda.device_array(3 * N, np.int64)
blelloch[3, N // 2](cuda.to_device(data.ravel()), d_out)
expected = np.cumsum(data, axis=1) - data
np.testing.assert_array_equal(d_out.copy_to_host().reshape(3, N), expected)
print("ok")
