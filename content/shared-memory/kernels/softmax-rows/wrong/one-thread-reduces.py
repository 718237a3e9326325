import math

from numba import cuda, float32

THREADS = 256
LONGEST = 1024


@cuda.jit
def softmax(x, out):
    row = cuda.shared.array(LONGEST, float32)
    found = cuda.shared.array(2, float32)
    columns = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    for c in range(t, columns, THREADS):
        row[c] = x[r, c]
    cuda.syncthreads()
    if t == 0:
        top = row[0]
        for c in range(1, columns):
            top = max(top, row[c])
        total = float32(0.0)
        for c in range(columns):
            total += math.exp(row[c] - top)
        found[0] = top
        found[1] = total
    cuda.syncthreads()
    for c in range(t, columns, THREADS):
        out[r, c] = math.exp(row[c] - found[0]) / found[1]
