"""Threads count into the shared histogram with a plain += instead of an atomic."""
import numpy as np
from numba import cuda, int32

LETTERS = 26


@cuda.jit
def letter_counts(text, counts):
    local = cuda.shared.array(LETTERS, int32)
    t = cuda.threadIdx.x
    if t < LETTERS:
        local[t] = 0
    cuda.syncthreads()

    for i in range(cuda.grid(1), text.size, cuda.gridsize(1)):
        c = int32(text[i]) - 97
        if c >= 0 and c < LETTERS:
            local[c] += 1  # EXPECT: race
    cuda.syncthreads()

    if t < LETTERS:
        cuda.atomic.add(counts, t, local[t])


text = np.frombuffer(b"sphinx of black quartz, judge my vow! " * 30, dtype=np.uint8).copy()
d_counts = cuda.to_device(np.zeros(LETTERS, dtype=np.int32))
letter_counts[4, 128](cuda.to_device(text), d_counts)
expected = np.bincount(text[(text >= 97) & (text <= 122)] - 97, minlength=LETTERS)
np.testing.assert_array_equal(d_counts.copy_to_host(), expected)
print("ok")
