"""A grid-stride loop holds barriers, but in the last round some threads of a block have no element left and skip them."""
import numpy as np
from numba import cuda, float32

B = 64


@cuda.jit
def reverse_pairs(x, y):
    tile = cuda.shared.array(B, float32)
    t = cuda.threadIdx.x
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        tile[t] = x[i]
        cuda.syncthreads()  # EXPECT: barrier-divergence
        y[i] = tile[t ^ 1]
        cuda.syncthreads()  # EXPECT: barrier-divergence


n = 1034  # even, not a multiple of the block
x = np.random.default_rng(118).random(n, dtype=np.float32)
d_y = cuda.device_array(n, dtype=np.float32)
reverse_pairs[4, B](cuda.to_device(x), d_y)
np.testing.assert_array_equal(d_y.copy_to_host(), x.reshape(-1, 2)[:, ::-1].ravel())
print("ok")
