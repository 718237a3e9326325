from numba import cuda


@cuda.jit
def reverse(a):
    n = a.size
    i = cuda.grid(1)
    if i < n // 2:
        j = n - 1 - i
        v = a[i]
        a[i] = a[j]
        a[j] = v
