from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def weight(p, q, r, n, c):
    at = min(n, q.shape[1] - 1)
    w = p[r, at, c] - q[r, at, c]
    return max(w, float32(0.0))


@cuda.jit
def check(p, q, tokens, draws, mass, accepted, last):
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    rows, drafts, vocab = q.shape
    if r >= rows:
        return
    rejected = False
    if lane < drafts:
        x = tokens[r, lane]
        u = float32(draws[r, lane]) / float32(256.0)
        rejected = u * q[r, lane, x] >= p[r, lane, x]
    n = cuda.ffs(cuda.ballot_sync(ALL, rejected) | 1 << drafts) - 1

    total = float32(0.0)
    for c in range(lane, vocab, 32):
        total += weight(p, q, r, n, c)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(ALL, total, step)
    aim = float32(draws[r, drafts]) / float32(256.0) * total
    before = float32(0.0)
    for start in range(0, vocab, 32):
        c = start + lane
        s = weight(p, q, r, n, c) if c < vocab else float32(0.0)
        for step in (1, 2, 4, 8, 16):
            below = cuda.shfl_up_sync(ALL, s, step)
            if lane >= step:
                s += below
        s += before
        above = cuda.ballot_sync(ALL, s > aim)
        if above:
            if lane == 0:
                mass[r] = total
                accepted[r] = n
                last[r] = start + cuda.ffs(above) - 1
            return
        before = cuda.shfl_sync(ALL, s, 31)
