import math

from numba import cuda, float32


@cuda.jit
def swiglu(x, out):
    tokens, width = out.shape
    for t in range(cuda.blockIdx.x, tokens, cuda.gridDim.x):
        for c in range(cuda.threadIdx.x, width, cuda.blockDim.x):
            gate = x[t, c]
            up = x[t, width + c]
            out[t, c] = gate / (float32(1.0) + math.exp(-gate)) * up
