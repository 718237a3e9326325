from numba import cuda, int32


@cuda.jit
def append(x, tail, queue):
    i = cuda.grid(1)
    if i < x.size and x[i] > 0:
        active = cuda.activemask()
        leader = cuda.ffs(active) - 1
        base = 0
        if cuda.laneid == leader:
            base = cuda.atomic.add(tail, 0, cuda.popc(active))
        base = cuda.shfl_sync(active, base, leader)
        queue[base + int32(cuda.popc(active & cuda.lanemask_lt()))] = 1
