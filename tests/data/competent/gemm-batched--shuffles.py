from numba import cuda, float32

SIDE = 16
ALL = 0xFFFFFFFF


@cuda.jit
def batched(a, b, c):
    mine_a = cuda.local.array(8, float32)
    mine_b = cuda.local.array(8, float32)
    total = cuda.local.array(8, float32)
    lane = cuda.threadIdx.x
    i = cuda.blockIdx.x * 8 + cuda.threadIdx.y
    n = a.shape[1]
    if i >= a.shape[0]:
        return
    column = lane % SIDE
    half = lane // SIDE
    for j in range(8):
        y = 2 * j + half
        inside = y < n and column < n
        mine_a[j] = a[i, y, column] if inside else float32(0)
        mine_b[j] = b[i, y, column] if inside else float32(0)
        total[j] = float32(0)
    for p in range(8):
        for odd in range(2):
            v = cuda.shfl_sync(ALL, mine_b[p], SIDE * odd + column)
            for j in range(8):
                total[j] += cuda.shfl_sync(ALL, mine_a[j], SIDE * half + 2 * p + odd) * v
    for j in range(8):
        y = 2 * j + half
        if y < n and column < n:
            c[i, y, column] = total[j]
