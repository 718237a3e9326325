from numba import cuda, int32

SIZE = 256


@cuda.jit
def sort(a, out):
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * SIZE
    for j in range(t, SIZE, 128):
        if first + j < a.size:
            s[j] = a[first + j]
        else:
            s[j] = 0x7FFFFFFF
    cuda.syncthreads()
    k = 2
    while k <= SIZE:
        d = k // 2
        while d > 0:
            i = t // d * (2 * d) + t % d
            low = min(s[i], s[i + d])
            high = max(s[i], s[i + d])
            if i // k % 2 == 0:
                s[i] = low
                s[i + d] = high
            else:
                s[i] = high
                s[i + d] = low
            cuda.syncthreads()
            d //= 2
        k *= 2
    for j in range(t, SIZE, 128):
        if first + j < a.size:
            out[first + j] = s[j]
