from numba import cuda, float32, int32

SIZE = 256
WARPS = SIZE // 32
FULL = 0xFFFFFFFF


@cuda.jit
def compact(a, out, counts):
    kept = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    block = cuda.blockIdx.x
    i = block * SIZE + t
    x = a[i] if i < a.size else float32(0.0)
    votes = cuda.ballot_sync(FULL, x >= 0)
    if lane == 0:
        kept[warp] = cuda.popc(votes)
    cuda.syncthreads()
    start = 0
    for w in range(warp):
        start += kept[w]
    if x >= 0 and i < a.size:
        out[block, start + cuda.popc(votes & ((1 << lane) - 1))] = x
    if t == SIZE - 1:
        counts[block] = start + kept[warp]
