from numba import cuda, float32

TILE = 16


@cuda.jit
def convolve(image, w, out):
    s = cuda.shared.array((TILE, TILE), float32)
    rows, columns = image.shape
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    y = cuda.blockIdx.y * TILE + ty
    x = cuda.blockIdx.x * TILE + tx
    if y < rows and x < columns:
        s[ty, tx] = image[y, x]
    else:
        s[ty, tx] = float32(0.0)
    cuda.syncthreads()
    if y < rows and x < columns:
        total = float32(0.0)
        for i in range(3):
            for j in range(3):
                if 0 <= ty + i - 1 < TILE and 0 <= tx + j - 1 < TILE:
                    total += w[i, j] * s[ty + i - 1, tx + j - 1]
        out[y, x] = total
