"""Bitonic sort of 256 float32 values per block in shared memory; short segments are padded with infinity."""
import math

import numpy as np
from numba import cuda, float32

N = 256


@cuda.jit
def bitonic(data, out):
    s = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    g = cuda.blockIdx.x * N + t
    if g < data.size:
        s[t] = data[g]
    else:
        s[t] = math.inf
    cuda.syncthreads()

    k = 2
    while k <= N:
        j = k >> 1
        while j > 0:
            partner = t ^ j
            if partner > t:
                a = s[t]
                b = s[partner]
                ascending = (t & k) == 0
                if (a > b) == ascending:
                    s[t] = b
                    s[partner] = a
            cuda.syncthreads()
            j >>= 1
        k <<= 1

    if g < data.size:
        out[g] = s[t]


rng = np.random.default_rng(14)
data = rng.permutation(600).astype(np.float32)
d_out = cuda.device_array(data.size, dtype=np.float32)
blocks = (data.size + N - 1) // N
bitonic[blocks, N](cuda.to_device(data), d_out)
out = d_out.copy_to_host()
for b in range(blocks):
    part = slice(b * N, min((b + 1) * N, data.size))
    np.testing.assert_array_equal(out[part], np.sort(data[part]))
print("ok")
