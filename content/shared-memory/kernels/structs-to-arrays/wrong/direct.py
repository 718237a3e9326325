from numba import cuda


@cuda.jit
def split(points, out):
    i = cuda.grid(1)
    if i < points.shape[0]:
        for m in range(4):
            out[m, i] = points[i, m]
