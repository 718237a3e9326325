from numba import cuda


@cuda.jit
def reverse(a):
    n = a.size
    for i in range(cuda.grid(1), n // 2, cuda.gridsize(1)):
        j = n - 1 - i
        a[i] = a[j]
        a[j] = a[i]
