"""Stable compaction of the positive values of each block with warp ballots; block bases taken with one atomic."""
import numpy as np
from numba import cuda, int32

THREADS = 96
WARPS = THREADS // 32


@cuda.jit
def compact(x, out, count):
    warp_total = cuda.shared.array(WARPS, int32)
    block_base = cuda.shared.array(1, int32)

    tid = cuda.threadIdx.x
    lane = cuda.laneid
    warp = tid // 32
    i = cuda.grid(1)

    keep = False
    v = 0.0
    if i < x.size:
        v = x[i]
        keep = v > 0.0

    mask = cuda.ballot_sync(0xFFFFFFFF, keep)
    rank = cuda.popc(mask & ((1 << lane) - 1))
    if lane == 0:
        warp_total[warp] = cuda.popc(mask)
    cuda.syncthreads()

    if tid == 0:
        total = 0
        for w in range(WARPS):
            total += warp_total[w]
        block_base[0] = cuda.atomic.add(count, 0, total)
    cuda.syncthreads()

    if keep:
        before = 0
        for w in range(warp):
            before += warp_total[w]
        out[block_base[0] + before + rank] = v


n = 1501
rng = np.random.default_rng(13)
x = rng.standard_normal(n).astype(np.float32)
d_out = cuda.to_device(np.zeros(n, dtype=np.float32))
d_count = cuda.to_device(np.zeros(1, dtype=np.int32))
blocks = (n + THREADS - 1) // THREADS
compact[blocks, THREADS](cuda.to_device(x), d_out, d_count)

count = int(d_count.copy_to_host()[0])
got = d_out.copy_to_host()
expected = x[x > 0]
assert count == expected.size
np.testing.assert_array_equal(np.sort(got[:count]), np.sort(expected))
assert (got[count:] == 0).all()
print("kept", count)
