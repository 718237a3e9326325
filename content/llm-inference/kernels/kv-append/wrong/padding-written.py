from numba import cuda


@cuda.jit
def append(k, v, lengths, counts, table, k_cache, v_cache):
    c = cuda.blockIdx.x
    s = cuda.blockIdx.y
    position = lengths[s] + c
    page = table[s, position // 16]
    row = position % 16
    dim = k.shape[3]
    for i in range(cuda.threadIdx.x, k.shape[2] * dim, 128):
        h = i // dim
        d = i % dim
        k_cache[page, row, h, d] = k[s, c, h, d]
        v_cache[page, row, h, d] = v[s, c, h, d]
