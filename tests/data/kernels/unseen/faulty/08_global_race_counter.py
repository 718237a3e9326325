"""A global counter is raised with a plain += by all threads instead of cuda.atomic.add."""
import numpy as np
from numba import cuda


@cuda.jit
def count_outliers(x, limit, counter):
    i = cuda.grid(1)
    if i < x.size:
        if abs(x[i]) > limit:
            counter[0] += 1  # EXPECT: global-race


x = np.random.default_rng(108).standard_normal(3000)
d_counter = cuda.to_device(np.zeros(1, dtype=np.int32))
count_outliers[(x.size + 127) // 128, 128](cuda.to_device(x), 1.5, d_counter)
assert d_counter.copy_to_host()[0] == (np.abs(x) > 1.5).sum()
print("ok")
