from numba import cuda, int32

THREADS = 256
LONGEST = 1024
BOTH = 2048


@cuda.jit
def merge(a, b, out):
    sa = cuda.shared.array(LONGEST, int32)
    sb = cuda.shared.array(LONGEST, int32)
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = a.shape[1]
    n = b.shape[1]
    each = (m + n + THREADS - 1) // THREADS
    # out[r, t * each] … out[r, t * each + each - 1]
