from numba import cuda, int32

SIZE = 256
WARPS = SIZE // 32
ALL = 0xFFFFFFFF
EMPTY, SUM, PREFIX = 0, 1, 2


@cuda.jit
def scan(a, out, sums, prefixes, flags, counter):
    number = cuda.shared.array(1, int32)
    before = cuda.shared.array(1, int32)
    totals = cuda.shared.array(WARPS, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    warp = t // 32
    if t == 0:
        number[0] = cuda.blockIdx.x
        cuda.atomic.add(counter, 0, 1)
    cuda.syncthreads()
    block = number[0]
    i = block * SIZE + t

    v = a[i] if i < a.size else int32(0)
    step = 1
    while step < 32:
        left = cuda.shfl_up_sync(ALL, v, step)
        if lane >= step:
            v += left
        step *= 2
    if lane == 31:
        totals[warp] = v
    cuda.syncthreads()
    for w in range(warp):
        v += totals[w]

    if t == SIZE - 1:
        sums[block] = v
        cuda.threadfence()
        cuda.atomic.exch(flags, block, SUM)
        offset = int32(0)
        p = block - 1
        while p >= 0:
            flag = EMPTY
            while flag == EMPTY:
                flag = cuda.atomic.add(flags, p, 0)
            cuda.threadfence()
            if flag == PREFIX:
                offset += prefixes[p]
                break
            offset += sums[p]
            p -= 1
        prefixes[block] = offset + v
        cuda.threadfence()
        cuda.atomic.exch(flags, block, PREFIX)
        before[0] = offset
    cuda.syncthreads()
    if i < a.size:
        out[i] = before[0] + v
