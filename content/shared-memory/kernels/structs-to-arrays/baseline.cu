extern "C" __global__ void split(const float* __restrict__ points, float* out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        for (int m = 0; m < 4; m++)
            out[(size_t)m * n + i] = points[(size_t)i * 4 + m];
}
