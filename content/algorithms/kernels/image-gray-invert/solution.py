from numba import cuda


@cuda.jit
def recolor(image, mode, out):
    x, y = cuda.grid(2)
    if x >= image.shape[1] or y >= image.shape[0]:
        return
    r = image[y, x, 0]
    g = image[y, x, 1]
    b = image[y, x, 2]
    if mode == 0:
        gray = (77 * r + 150 * g + 29 * b + 128) >> 8
        r, g, b = gray, gray, gray
    else:
        r, g, b = 255 - r, 255 - g, 255 - b
    out[y, x, 0] = r
    out[y, x, 1] = g
    out[y, x, 2] = b
    out[y, x, 3] = image[y, x, 3]
