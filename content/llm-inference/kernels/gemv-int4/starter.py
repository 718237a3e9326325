from numba import cuda, float32

ALL = 0xFFFFFFFF
LONGEST = 4096


@cuda.jit
def gemv(w, scales, zeros, x, y):
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    rows, groups = scales.shape
