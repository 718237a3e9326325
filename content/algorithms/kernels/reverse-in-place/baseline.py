from numba import cuda


@cuda.jit
def reverse(a):
    n = a.size
    each = (n // 2 + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * each
    for i in range(first, min(first + each, n // 2)):
        j = n - 1 - i
        v = a[i]
        a[i] = a[j]
        a[j] = v
