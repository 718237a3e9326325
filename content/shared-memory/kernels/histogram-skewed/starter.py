from numba import cuda, int32

WARPS = 8
CLASSES = 16
LANES = 32
ALL = 0xFFFFFFFF


@cuda.jit
def class_sums(classes, weights, sums):
    t = cuda.threadIdx.x
    lane = t % LANES
    warp = t // LANES
