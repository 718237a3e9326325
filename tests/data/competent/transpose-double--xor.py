from numba import cuda, float64

TILE = 16
PITCH = TILE


@cuda.jit
def transpose(image, out):
    tile = cuda.shared.array((TILE, PITCH), float64)
    rows, columns = image.shape
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
    for j in range(0, TILE, 4):
        if y + j < rows and x < columns:
            tile[ty + j, tx ^ (ty + j)] = image[y + j, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + tx
    y = cuda.blockIdx.x * TILE + ty
    for j in range(0, TILE, 4):
        if y + j < columns and x < rows:
            out[y + j, x] = tile[tx, tx ^ (ty + j)]
