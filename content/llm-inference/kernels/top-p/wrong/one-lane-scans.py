from numba import cuda, float32

ALL = 0xFFFFFFFF
LONGEST = 512


@cuda.jit(device=True)
def first_above(sums, y, columns, limit):
    low = 0
    high = columns
    while low < high:
        middle = (low + high) // 2
        if sums[y, middle] > limit:
            high = middle
        else:
            low = middle + 1
    return low


@cuda.jit
def sample(weights, top_p, draws, kept, tokens, probs):
    sums = cuda.shared.array((4, LONGEST), float32)
    lane = cuda.threadIdx.x
    y = cuda.threadIdx.y
    row = cuda.blockIdx.x * 4 + y
    rows, columns = weights.shape
    if row >= rows:
        return
    total = float32(0.0)
    if lane == 0:
        for c in range(columns):
            total += weights[row, c]
            sums[y, c] = total
    total = cuda.shfl_sync(ALL, total, 0)
    cuda.syncwarp()

    first = first_above(sums, y, columns, (float32(1.0) - top_p) * total)
    base = sums[y, first - 1] if first > 0 else float32(0.0)
    u = float32(draws[row]) / float32(256.0)
    token = first_above(sums, y, columns, base + u * (total - base))
    if lane == 0:
        before = sums[y, token - 1] if token > 0 else float32(0.0)
        kept[row] = columns - first
        tokens[row] = token
        probs[row] = (sums[y, token] - before) / (total - base)
