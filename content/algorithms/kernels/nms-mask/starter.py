from numba import cuda, uint32

ALL = 0xFFFFFFFF
ROWS = 4  # per warp


@cuda.jit
def overlaps(boxes, mask, percent):
    lane = cuda.threadIdx.x
    n = boxes.shape[0]
    j = cuda.blockIdx.x * 32 + lane
    first = cuda.blockIdx.y * 32 + cuda.threadIdx.y * ROWS
