import math

from numba import cuda, float32


@cuda.jit
def activate(x, op, a, b, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        v = x[i]
        # The same branch for every thread of the grid: no divergence.
        if op == 0:
            v = max(v, float32(0.0))
        elif op == 1:
            v = a * v if v > float32(0.0) else v
        elif op == 2:
            v = float32(1.0) / (float32(1.0) + math.exp(-v))
        else:
            v = min(max(v, a), b)
        out[i] = v
