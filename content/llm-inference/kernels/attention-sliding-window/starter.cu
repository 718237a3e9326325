extern "C" __global__ void attention(const float* q, const float* k, const float* v, float scale, float slope,
                                     int window, int sinks, float* out, int n, int dim)
{
    int lane = threadIdx.x, i = blockIdx.x * 4 + threadIdx.y;
    if (i >= n)
        return;
}
