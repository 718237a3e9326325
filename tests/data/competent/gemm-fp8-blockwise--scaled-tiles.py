import numpy as np
from numba import cuda, float32


@cuda.jit(device=True)
def decoded(code):
    bits = np.int32(code)
    exponent, mantissa = (bits >> 3) & 15, bits & 7
    if exponent == 0:
        size = float32(mantissa) * float32(1 / 512)
    else:
        size = float32(8 + mantissa) * float32(1 << exponent) * float32(1 / 1024)
    return -size if bits >= 128 else size


@cuda.jit
def matmul(a, a_scales, b, b_scales, c):
    # The tiles hold scaled values, B's turned when it is stored.
    left_tile = cuda.shared.array((32, 32), float32)
    right_tile = cuda.shared.array((32, 33), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i0, j0 = 32 * cuda.blockIdx.y, 32 * cuda.blockIdx.x
    first = second = third = fourth = float32(0.0)
    factors = cuda.local.array(4, float32)
    factor = float32(0.0)
    for p0 in range(0, a.shape[1], 32):
        if p0 % 128 == 0:
            factor = b_scales[j0 // 128, p0 // 128]
            for s in range(4):
                i = i0 + y + 8 * s
                factors[s] = a_scales[i, p0 // 128] if i < a.shape[0] else float32(0.0)
        for s in range(4):
            i, j = i0 + y + 8 * s, j0 + y + 8 * s
            left_tile[y + 8 * s, x] = float32(0.0)
            if i < a.shape[0]:
                left_tile[y + 8 * s, x] = decoded(a[i, p0 + x]) * factors[s]
            right_tile[x, y + 8 * s] = float32(0.0)
            if j < b.shape[0]:
                right_tile[x, y + 8 * s] = decoded(b[j, p0 + x]) * factor
        cuda.syncthreads()
        for p in range(32):
            value = right_tile[p, x]
            first += left_tile[y, p] * value
            second += left_tile[y + 8, p] * value
            third += left_tile[y + 16, p] * value
            fourth += left_tile[y + 24, p] * value
        cuda.syncthreads()
    if j0 + x < c.shape[1]:
        for s in range(4):
            if i0 + y + 8 * s < c.shape[0]:
                value = first if s == 0 else second
                if s >= 2:
                    value = third if s == 2 else fourth
                c[i0 + y + 8 * s, j0 + x] = value
