from numba import cuda, float32


@cuda.jit
def convolve(image, w, out):
    s = cuda.shared.array((3, 3), float32)
    rows, columns = image.shape
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    if ty < 3 and tx < 3:
        s[ty, tx] = w[ty, tx]
    cuda.syncthreads()
    x, y = cuda.grid(2)
    if y < rows and x < columns:
        total = float32(0.0)
        for i in range(3):
            for j in range(3):
                if 0 <= y + i - 1 < rows and 0 <= x + j - 1 < columns:
                    total += s[i, j] * image[y + i - 1, x + j - 1]
        out[y, x] = total
