"""Block 0 adds up the partial sums of all blocks in the same launch, as if a block barrier held the whole grid."""
import numpy as np
from numba import cuda, float64

TPB = 64


@cuda.jit
def mean_square(x, partial, result):
    cache = cuda.shared.array(TPB, float64)
    tid = cuda.threadIdx.x
    acc = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        acc += x[i] * x[i]
    cache[tid] = acc
    cuda.syncthreads()

    h = TPB // 2
    while h > 0:
        if tid < h:
            cache[tid] += cache[tid + h]
        cuda.syncthreads()
        h //= 2

    if tid == 0:
        partial[cuda.blockIdx.x] = cache[0]  # EXPECT: global-race
    cuda.syncthreads()

    if cuda.grid(1) == 0:
        total = 0.0
        for b in range(cuda.gridDim.x):
            total += partial[b]  # EXPECT: global-race
        result[0] = total / x.size


x = np.random.default_rng(111).standard_normal(1777)
d_partial = cuda.to_device(np.zeros(8))
d_result = cuda.to_device(np.zeros(1))
mean_square[8, TPB](cuda.to_device(x), d_partial, d_result)
np.testing.assert_allclose(d_result.copy_to_host()[0], np.mean(x * x), rtol=1e-9)
print("ok")
