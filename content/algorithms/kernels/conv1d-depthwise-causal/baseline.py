from numba import cuda, float32


@cuda.jit
def conv(x, weight, bias, y):
    c = cuda.blockIdx.x
    b = cuda.blockIdx.y
    each = (x.shape[2] + cuda.blockDim.x - 1) // cuda.blockDim.x
    first = cuda.threadIdx.x * each
    # The last three elements stay in registers, so each is loaded once.
    v0 = x[b, c, first - 3] if 3 <= first < x.shape[2] else float32(0.0)
    v1 = x[b, c, first - 2] if 2 <= first < x.shape[2] else float32(0.0)
    v2 = x[b, c, first - 1] if 1 <= first < x.shape[2] else float32(0.0)
    for t in range(first, min(first + each, x.shape[2])):
        v3 = x[b, c, t]
        s = bias[c] + weight[c, 0] * v0 + weight[c, 1] * v1
        y[b, c, t] = s + weight[c, 2] * v2 + weight[c, 3] * v3
        v0 = v1
        v1 = v2
        v2 = v3
