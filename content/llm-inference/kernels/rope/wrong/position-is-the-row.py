from numba import cuda


@cuda.jit
def rope(x, positions, cosines, sines):
    heads, half = x.shape[1], cosines.shape[1]
    t = cuda.blockIdx.x
    p = t
    for i in range(cuda.threadIdx.x, heads * half, cuda.blockDim.x):
        h = i // half
        c = i % half
        cos = cosines[p, c]
        sin = sines[p, c]
        a = x[t, h, c]
        b = x[t, h, half + c]
        x[t, h, c] = a * cos - b * sin
        x[t, h, half + c] = b * cos + a * sin
