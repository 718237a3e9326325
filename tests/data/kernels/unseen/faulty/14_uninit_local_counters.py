"""The per-thread counters in a local array are incremented without having been set to zero."""
import numpy as np
from numba import cuda, int32

BASES = 4
PER_THREAD = 16


@cuda.jit
def base_counts(dna, counts):
    local = cuda.local.array(BASES, int32)
    first = cuda.grid(1) * PER_THREAD
    last = min(first + PER_THREAD, dna.size)
    for i in range(first, last):
        local[dna[i]] += 1  # EXPECT: uninitialised-read
    for b in range(BASES):
        cuda.atomic.add(counts, b, local[b])  # EXPECT: uninitialised-read


rng = np.random.default_rng(114)
dna = rng.integers(0, BASES, 7000).astype(np.uint8)
d_counts = cuda.to_device(np.zeros(BASES, dtype=np.int64))
threads = 64
blocks = (dna.size + threads * PER_THREAD - 1) // (threads * PER_THREAD)
base_counts[blocks, threads](cuda.to_device(dna), d_counts)
np.testing.assert_array_equal(d_counts.copy_to_host(), np.bincount(dna, minlength=BASES))
print("ok")
