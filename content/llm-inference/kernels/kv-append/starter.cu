extern "C" __global__ void append(const float* k, const float* v, const int* lengths, const int* counts,
                                  const int* table, float* k_cache, float* v_cache,
                                  int seqs, int chunk, int columns, int kv, int dim)
{
    int c = blockIdx.x, s = blockIdx.y;
}
