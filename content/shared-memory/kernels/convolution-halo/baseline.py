from numba import cuda, float32


@cuda.jit
def convolve(image, w, out):
    rows, columns = image.shape
    x, y = cuda.grid(2)
    if y < rows and x < columns:
        total = float32(0.0)
        for i in range(3):
            for j in range(3):
                if 0 <= y + i - 1 < rows and 0 <= x + j - 1 < columns:
                    total += w[i, j] * image[y + i - 1, x + j - 1]
        out[y, x] = total
