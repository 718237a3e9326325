"""Each thread finds the lower bound of its int64 query in a sorted array by binary search."""
import numpy as np
from numba import cuda


@cuda.jit
def lower_bound(sorted_keys, queries, pos):
    i = cuda.grid(1)
    if i < queries.size:
        q = queries[i]
        lo = 0
        hi = sorted_keys.size
        while lo < hi:
            mid = (lo + hi) // 2
            if sorted_keys[mid] < q:
                lo = mid + 1
            else:
                hi = mid
        pos[i] = lo


rng = np.random.default_rng(24)
keys = np.sort(rng.integers(-(2**40), 2**40, 1500))
queries = np.concatenate([rng.integers(-(2**41), 2**41, 900), keys[::40], [keys[0], keys[-1]]])
d_pos = cuda.device_array(queries.size, dtype=np.int32)
threads = 128
lower_bound[(queries.size + threads - 1) // threads, threads](
    cuda.to_device(keys), cuda.to_device(queries), d_pos
)
np.testing.assert_array_equal(d_pos.copy_to_host(), np.searchsorted(keys, queries, side="left"))
print("ok")
