from numba import cuda, float32

ROWS = 8
ALL = 0xFFFFFFFF


@cuda.jit
def recur(a, b, h):
    lane = cuda.threadIdx.x
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    rows, length = a.shape
    if row >= rows:
        return  # the whole warp leaves, so the shuffles below are complete
    carry = float32(0.0)
    for first in range(0, length, 32):
        t = first + lane
        factor = a[row, t] if t < length else float32(0.0)
        value = b[row, t] if t < length else float32(0.0)
        step = 1
        while step < 32:
            earlier = cuda.shfl_up_sync(ALL, factor, step)
            added = cuda.shfl_up_sync(ALL, value, step)
            if lane >= step:
                value += factor * added
                factor *= earlier
            step *= 2
        value += factor * carry
        if t < length:
            h[row, t] = value
        carry = value
