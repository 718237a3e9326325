from numba import cuda, float32

ALL = 0xFFFFFFFF


@cuda.jit
def check(p, q, tokens, draws, mass, accepted, last):
    lane = cuda.threadIdx.x
    r = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    rows, drafts, vocab = q.shape
    if r >= rows:
        return
