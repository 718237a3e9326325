from numba import cuda


@cuda.jit
def rope(x, positions, cosines, sines):
    heads, half = x.shape[1], cosines.shape[1]
    t = cuda.blockIdx.x
    p = positions[t]
    for i in range(cuda.threadIdx.x, heads * 2 * half, cuda.blockDim.x):
        h = i // (2 * half)
        d = i % (2 * half)
        c = d % half
        if d < half:
            x[t, h, d] = x[t, h, d] * cosines[p, c] - x[t, h, d + half] * sines[p, c]
        else:
            x[t, h, d] = x[t, h, d] * cosines[p, c] + x[t, h, d - half] * sines[p, c]
