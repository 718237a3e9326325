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
    for k in range(ty * TILE + tx, WIDTH * WIDTH, TILE * TILE):
        y = top + k // WIDTH - 1
        x = left + k % WIDTH - 1
        inside = 0 <= y < rows and 0 <= x < columns
        s[k // WIDTH, k % WIDTH] = image[y, x] if inside else float32(0.0)
    if top + ty < rows and left + tx < columns:
        total = float32(0.0)
        for i in range(3):
            for j in range(3):
                total += w[i, j] * s[ty + i, tx + j]
        out[top + ty, left + tx] = total
