"""The upper-bound search sets lo = mid instead of mid + 1, so it stands still once two elements are left."""
import numpy as np
from numba import cuda


@cuda.jit
def upper_bound(keys, queries, pos):
    i = cuda.grid(1)
    if i < queries.size:
        lo = 0
        hi = keys.size
        while lo < hi:  # EXPECT: budget
            mid = (lo + hi) // 2
            if keys[mid] <= queries[i]:
                lo = mid
            else:
                hi = mid
        pos[i] = lo


rng = np.random.default_rng(127)
keys = np.sort(rng.random(500)).astype(np.float32)
queries = rng.random(200).astype(np.float32)
d_pos = cuda.device_array(queries.size, dtype=np.int32)
upper_bound[(queries.size + 63) // 64, 64](cuda.to_device(keys), cuda.to_device(queries), d_pos)
np.testing.assert_array_equal(d_pos.copy_to_host(), np.searchsorted(keys, queries, side="right"))
print("ok")
