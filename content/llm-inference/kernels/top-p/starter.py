from numba import cuda, float32

ALL = 0xFFFFFFFF
LONGEST = 512


@cuda.jit
def sample(weights, top_p, draws, kept, tokens, probs):
    lane = cuda.threadIdx.x
    y = cuda.threadIdx.y
    row = cuda.blockIdx.x * 4 + y
    rows, columns = weights.shape
