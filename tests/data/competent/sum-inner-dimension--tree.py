from numba import cuda, float32


@cuda.jit
def sum_inner(x, out):
    part = cuda.shared.array(256, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = ty * 32 + tx
    i = cuda.blockIdx.x * 32 + tx
    valid = i < out.shape[1]
    # Two rows at once, in sums of their own.
    even, odd = float32(0.0), float32(0.0)
    r = ty
    while valid and r < x.shape[1]:
        even += x[cuda.blockIdx.y, r, i]
        if r + 8 < x.shape[1]:
            odd += x[cuda.blockIdx.y, r + 8, i]
        r += 16
    part[t] = even + odd
    half = 128
    while half >= 32:
        cuda.syncthreads()
        if t < half:
            part[t] += part[t + half]
        half //= 2
    if t < 32 and valid:
        out[cuda.blockIdx.y, i] = part[t]
