from numba import cuda


@cuda.jit
def append(k, v, lengths, counts, table, k_cache, v_cache):
    c = cuda.blockIdx.x
    s = cuda.blockIdx.y
