extern "C" __global__ void split(const float* __restrict__ points, float* out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n)
        return;
    float4 p = reinterpret_cast<const float4*>(points)[i];
    out[i] = p.x;
    out[(size_t)n + i] = p.y;
    out[2 * (size_t)n + i] = p.z;
    out[3 * (size_t)n + i] = p.w;
}
