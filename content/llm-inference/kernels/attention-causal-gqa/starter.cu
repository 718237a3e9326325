extern "C" __global__ void attention(const float* q, const float* k, const float* v, float scale,
                                     float* out, int queries, int past, int kv, int group, int dim)
{
    int lane = threadIdx.x, i = blockIdx.x * 4 + threadIdx.y, h = blockIdx.y;
    if (i >= queries)
        return;
}
