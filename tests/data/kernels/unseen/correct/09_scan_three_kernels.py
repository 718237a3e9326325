"""Inclusive scan of a long int32 array: Hillis-Steele per block, scan of the block sums, offsets added."""
import numpy as np
from numba import cuda, int32

B = 128


@cuda.jit
def scan_blocks(x, y, sums):
    buf = cuda.shared.array((2, B), int32)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    cur = 0
    buf[cur, tid] = x[i] if i < x.size else 0
    cuda.syncthreads()

    d = 1
    while d < B:
        nxt = 1 - cur
        if tid >= d:
            buf[nxt, tid] = buf[cur, tid] + buf[cur, tid - d]
        else:
            buf[nxt, tid] = buf[cur, tid]
        cuda.syncthreads()
        cur = nxt
        d *= 2

    if i < x.size:
        y[i] = buf[cur, tid]
    if tid == B - 1:
        sums[cuda.blockIdx.x] = buf[cur, tid]


@cuda.jit
def add_offsets(y, scanned_sums):
    i = cuda.grid(1)
    if cuda.blockIdx.x > 0 and i < y.size:
        y[i] += scanned_sums[cuda.blockIdx.x - 1]


n = 1999
x = np.random.default_rng(10).integers(-50, 50, n).astype(np.int32)
blocks = (n + B - 1) // B
assert blocks <= B

d_x = cuda.to_device(x)
d_y = cuda.device_array(n, np.int32)
d_sums = cuda.device_array(blocks, np.int32)
d_scanned = cuda.device_array(blocks, np.int32)
d_total = cuda.device_array(1, np.int32)

scan_blocks[blocks, B](d_x, d_y, d_sums)
scan_blocks[1, B](d_sums, d_scanned, d_total)
add_offsets[blocks, B](d_y, d_scanned)

np.testing.assert_array_equal(d_y.copy_to_host(), np.cumsum(x))
assert d_total.copy_to_host()[0] == x.sum()
print("ok")
