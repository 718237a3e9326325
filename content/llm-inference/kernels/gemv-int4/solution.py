from numba import cuda, float32

ALL = 0xFFFFFFFF
LONGEST = 4096


@cuda.jit
def gemv(w, scales, zeros, x, y):
    part = cuda.shared.array(LONGEST, float32)
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    rows, groups = scales.shape
    for c in range(cuda.threadIdx.y * 32 + lane, 32 * groups, 256):
        part[c] = x[c]
    cuda.syncthreads()
    if r >= rows:
        return
    total = float32(0.0)
    for at in range(lane, 4 * groups, 32):
        word = w[r, at]
        zero = float32(zeros[r, at // 4])
        inner = float32(0.0)
        for i in range(8):
            # Lanes four apart use the same banks: each begins at another nibble.
            n = (i + lane // 4) % 8
            inner += (float32((word >> (4 * n)) & 15) - zero) * part[8 * at + n]
        total += scales[r, at // 4] * inner
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(ALL, total, step)
    if lane == 0:
        y[r] = total
