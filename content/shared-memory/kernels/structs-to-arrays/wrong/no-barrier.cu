extern "C" __global__ void split(const float* __restrict__ points, float* out, int n)
{
    __shared__ float tile[4][128 + 8];
    int t = threadIdx.x;
    int first = blockIdx.x * 128;
    for (int e = t; e < 512; e += 128)
        if (first + e / 4 < n)
            tile[e % 4][e / 4] = points[(size_t)first * 4 + e];
    if (first + t < n)
        for (int m = 0; m < 4; m++)
            out[(size_t)m * n + first + t] = tile[m][t];
}
