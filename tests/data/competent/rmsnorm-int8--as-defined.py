import math

from numba import cuda, float32

N = 256


@cuda.jit(device=True)
def block_reduce(part, t, largest):
    d = N // 2
    while d:
        if t < d:
            a, b = part[t], part[t + d]
            part[t] = max(a, b) if largest else a + b
        cuda.syncthreads()
        d //= 2
    found = part[0]
    cuda.syncthreads()
    return found


@cuda.jit
def rmsnorm(x, w, eps, q, scale):
    """In the order of the definition, on a row kept in shared memory."""
    y = cuda.shared.array(2048, float32)
    part = cuda.shared.array(N, float32)
    n = x.shape[1]
    r = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s = float32(0.0)
    for c in range(t, n, N):
        y[c] = float32(x[r, c])
        s += y[c] * y[c]
    part[t] = s
    cuda.syncthreads()
    inverse = float32(1.0) / math.sqrt(block_reduce(part, t, False) / float32(n) + eps)
    top = float32(0.0)
    for c in range(t, n, N):
        y[c] *= inverse * w[c]
        top = max(top, abs(y[c]))
    part[t] = top
    cuda.syncthreads()
    step = block_reduce(part, t, True) / float32(127.0)
    for c in range(t, n, N):
        q[r, c] = int(round(y[c] / step))
    if t == 0:
        scale[r] = step
