from numba import cuda, float32

TILE = 32


@cuda.jit
def transpose(image, out):
    tile = cuda.shared.array(0, float32)
    rows, columns = image.shape
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
    for j in range(0, TILE, 8):
        if y + j < rows and x < columns:
            tile[(ty + j) * TILE + ((tx + ty + j) & 31)] = image[y + j, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + tx
    y = cuda.blockIdx.x * TILE + ty
    for j in range(0, TILE, 8):
        if y + j < columns and x < rows:
            out[y + j, x] = tile[tx * TILE + ((tx + ty + j) & 31)]
