from numba import cuda, float32

TILE = 16
WIDTH = TILE + 2


@cuda.jit
def convolve(image, w, out):
    s = cuda.shared.array((WIDTH, WIDTH), float32)
    rows, columns = image.shape
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
    y = top + ty
    x = left + tx
    inside = y < rows and x < columns
    s[ty + 1, tx + 1] = image[y, x] if inside else float32(0.0)
    if ty == 0:
        inside = y > 0 and x < columns
        s[0, tx + 1] = image[y - 1, x] if inside else float32(0.0)
    if ty == TILE - 1:
        inside = y + 1 < rows and x < columns
        s[ty + 2, tx + 1] = image[y + 1, x] if inside else float32(0.0)
    if tx == 0:
        inside = x > 0 and y < rows
        s[ty + 1, 0] = image[y, x - 1] if inside else float32(0.0)
    if tx == TILE - 1:
        inside = x + 1 < columns and y < rows
        s[ty + 1, tx + 2] = image[y, x + 1] if inside else float32(0.0)
    cuda.syncthreads()
    if top + ty < rows and left + tx < columns:
        total = float32(0.0)
        for i in range(3):
            for j in range(3):
                total += w[i, j] * s[ty + i, tx + j]
        out[top + ty, left + tx] = total
