"""Open-addressing hash table: every thread inserts its key with atomic compare-and-swap, duplicates are counted."""
import numpy as np
from numba import cuda, int32, uint32

SLOTS = 512
EMPTY = -1


@cuda.jit(device=True)
def hash32(k):
    h = uint32(uint32(k) * uint32(2654435761))
    return int32(h >> uint32(23))


@cuda.jit
def insert(keys, table_keys, table_counts):
    i = cuda.grid(1)
    if i >= keys.shape[0]:
        return
    key = keys[i]
    slot = hash32(key)
    done = False
    while not done:
        old = cuda.atomic.cas(table_keys, slot, EMPTY, key)
        if old == EMPTY or old == key:
            cuda.atomic.add(table_counts, slot, 1)
            done = True
        else:
            slot = (slot + 1) % SLOTS


rng = np.random.default_rng(16)
keys = rng.integers(0, 300, 1000).astype(np.int32)
d_keys = cuda.to_device(np.full(SLOTS, EMPTY, dtype=np.int32))
d_counts = cuda.to_device(np.zeros(SLOTS, dtype=np.int32))
insert[8, 128](cuda.to_device(keys), d_keys, d_counts)

table_keys = d_keys.copy_to_host()
table_counts = d_counts.copy_to_host()
used = table_keys != EMPTY
got = dict(zip(table_keys[used].tolist(), table_counts[used].tolist()))
values, counts = np.unique(keys, return_counts=True)
assert got == dict(zip(values.tolist(), counts.tolist()))
print(len(got), "distinct keys")
