from numba import cuda, float32, int32


@cuda.jit
def pool(x, out, where):
    q = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    p = cuda.blockIdx.y * 4 + cuda.threadIdx.y
    c = cuda.blockIdx.z
    if q < out.shape[2] and p < out.shape[1]:
        best = float32(0)
        place = int32(-1)
        for n in range(9):
            i = 2 * p - 1 + n // 3
            j = 2 * q - 1 + n % 3
            if i >= 0 and j >= 0 and i < x.shape[1] and j < x.shape[2]:
                v = x[c, i, j]
                if place < 0 or v > best:
                    best = v
                    place = i * x.shape[2] + j
        out[c, p, q] = best
        where[c, p, q] = place
