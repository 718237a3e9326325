from numba import cuda, float32, int32

SIZE = 256
WARPS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def scan(a, flags, out):
    sums = cuda.shared.array(WARPS, float32)
    starts = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    i = cuda.blockIdx.x * SIZE + t
    v = float32(0.0)
    begun = int32(0)
    if i < a.size:
        v = a[i]
        begun = int32(flags[i])
    for step in (1, 2, 4, 8, 16):
        before = cuda.shfl_up_sync(ALL, v, step)
        there = cuda.shfl_up_sync(ALL, begun, step)
        if lane >= step:
            if begun == 0:
                v += before
            begun |= there
    if lane == 31:
        sums[warp] = v
        starts[warp] = begun
    cuda.syncthreads()
    carry = float32(0.0)
    for w in range(warp):
        if starts[w] != 0:
            carry = sums[w]
        else:
            carry += sums[w]
    if begun == 0:
        v += carry
    if i < a.size:
        out[i] = v
