from numba import cuda, float32

WARPS = 8
GROUP = 64
LONGEST = 4096
ALL = 0xFFFFFFFF


@cuda.jit
def gemv(w, scales, x, y):
    xs = cuda.shared.array(LONGEST, float32)
    rows, columns = w.shape
    lane = cuda.threadIdx.x
    t = cuda.threadIdx.y * 32 + lane
    row = cuda.blockIdx.x * WARPS + cuda.threadIdx.y
