import math

from numba import cuda, float32


@cuda.jit
def activate(x, op, a, b, out):
    each = (x.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * each
    for i in range(first, min(first + each, x.size)):
        v = x[i]
        # The same branch for every thread of the grid: no divergence.
        if op == 0:
            v = max(v, float32(0.0))
        elif op == 1:
            v = v if v > float32(0.0) else a * v
        elif op == 2:
            v = float32(1.0) / (float32(1.0) + math.exp(-v))
        else:
            v = min(max(v, a), b)
        out[i] = v
