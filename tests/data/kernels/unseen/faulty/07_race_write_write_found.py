"""Every thread that finds the byte stores its own position in the same shared slot: the first match is wanted, any may win."""
import numpy as np
from numba import cuda, int32

B = 64


@cuda.jit
def first_in_block(data, needle, first):
    found = cuda.shared.array(1, int32)
    tid = cuda.threadIdx.x
    if tid == 0:
        found[0] = -1
    cuda.syncthreads()

    i = cuda.grid(1)
    if i < data.size and data[i] == needle:
        found[0] = tid  # EXPECT: race
    cuda.syncthreads()

    if tid == 0:
        first[cuda.blockIdx.x] = found[0]


rng = np.random.default_rng(107)
data = rng.integers(0, 8, 500).astype(np.uint8)
blocks = (data.size + B - 1) // B
d_first = cuda.device_array(blocks, np.int32)
first_in_block[blocks, B](cuda.to_device(data), np.uint8(5), d_first)
first = d_first.copy_to_host()
for b in range(blocks):
    hits = np.flatnonzero(data[b * B : (b + 1) * B] == 5)
    assert first[b] == (hits[0] if hits.size else -1)
print("ok")
