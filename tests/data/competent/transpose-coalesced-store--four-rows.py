from numba import cuda


@cuda.jit
def transpose(image, out):
    x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    first = cuda.blockIdx.y * 32 + cuda.threadIdx.y * 4
    if x < image.shape[0]:
        for y in range(first, min(first + 4, image.shape[1])):
            out[y, x] = image[x, y]
