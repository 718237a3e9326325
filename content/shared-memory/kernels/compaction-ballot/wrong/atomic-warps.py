from numba import cuda, float32, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def compact(a, out, counts):
    kept = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    block = cuda.blockIdx.x
    i = block * SIZE + t
    x = a[i] if i < a.size else float32(0.0)
    votes = cuda.ballot_sync(FULL, x > 0)
    if t == 0:
        kept[0] = 0
    cuda.syncthreads()
    start = 0
    if lane == 0:
        start = cuda.atomic.add(kept, 0, cuda.popc(votes))
    start = cuda.shfl_sync(FULL, start, 0)
    cuda.syncthreads()
    if x > 0:
        out[block, start + cuda.popc(votes & ((1 << lane) - 1))] = x
    if t == SIZE - 1:
        counts[block] = kept[0]
