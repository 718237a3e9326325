from numba import cuda, float32

WARPS = 8
SIDE = 16
EACH = 8


@cuda.jit
def batched(a, b, c):
    sa = cuda.shared.array((WARPS, SIDE, SIDE), float32)
    sb = cuda.shared.array((WARPS, SIDE, SIDE), float32)
    lane = cuda.threadIdx.x
    warp = cuda.threadIdx.y
    which = cuda.blockIdx.x * WARPS + warp
    n = a.shape[1]
