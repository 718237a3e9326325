extern "C" __global__ void append(const float* k, const float* v, const int* lengths, const int* counts,
                                  const int* table, float* k_cache, float* v_cache,
                                  int seqs, int chunk, int columns, int kv, int dim)
{
    int c = blockIdx.x, s = blockIdx.y;
    if (c >= counts[s])
        return;
    int position = lengths[s] + c;
    int page = table[s * columns + lengths[s] / 16];
    int size = kv * dim;
    int from = (s * chunk + c) * size, to = (page * 16 + position % 16) * size;
    for (int i = threadIdx.x; i < size; i += 128) {
        k_cache[to + i] = k[from + i];
        v_cache[to + i] = v[from + i];
    }
}
