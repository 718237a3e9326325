import math

from numba import cuda, float32


@cuda.jit
def swiglu(x, out):
    width = out.shape[1]
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        t = i // width
        c = i % width
        gate = x[t, c]
        up = x[t, width + c]
        out[t, c] = gate / (float32(1.0) + math.exp(-gate)) * up
