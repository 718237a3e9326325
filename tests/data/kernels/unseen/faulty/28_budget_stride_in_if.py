"""The index of the grid-stride loop advances only where the element is positive, so a thread at any other one loops for ever."""
import math

import numpy as np
from numba import cuda


@cuda.jit
def log_or_zero(x, y):
    i = cuda.grid(1)
    stride = cuda.gridsize(1)
    while i < x.size:  # EXPECT: budget
        if x[i] > 0.0:
            y[i] = math.log(x[i])
            i += stride
        else:
            y[i] = 0.0


x = np.random.default_rng(128).standard_normal(700)
d_y = cuda.device_array(x.size, dtype=np.float64)
log_or_zero[2, 64](cuda.to_device(x), d_y)
expected = np.where(x > 0, np.log(np.where(x > 0, x, 1.0)), 0.0)
np.testing.assert_allclose(d_y.copy_to_host(), expected, rtol=1e-9, atol=1e-12)
print("ok")
