from numba import cuda, float32

SIZE = 128
STRIP = 32


@cuda.jit
def box(a, out):
    c = cuda.blockIdx.x * SIZE + cuda.threadIdx.x
    first = cuda.blockIdx.y * STRIP
    rows, columns = a.shape
    if c < columns:
        for r in range(first, min(first + STRIP, rows)):
            total = float32(0.0)
            for i in range(max(r - 1, 0), min(r + 2, rows)):
                for j in range(max(c - 1, 0), min(c + 2, columns)):
                    total += a[i, j]
            out[r, c] = total
