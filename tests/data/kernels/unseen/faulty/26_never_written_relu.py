"""ReLU writes the positive values and forgets to write a zero for the others."""
import numpy as np
from numba import cuda


@cuda.jit
def relu(x, y):  # EXPECT: never-written
    i = cuda.grid(1)
    step = cuda.gridsize(1)
    while i < x.size:
        v = x[i]
        if v > 0:
            y[i] = v
        i += step


x = np.random.default_rng(126).standard_normal(1600).astype(np.float32)
d_x = cuda.to_device(x)
d_y = cuda.device_array_like(d_x)
relu[4, 128](d_x, d_y)
np.testing.assert_array_equal(d_y.copy_to_host(), np.maximum(x, 0))
print("ok")
