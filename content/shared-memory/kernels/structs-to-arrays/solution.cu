extern "C" __global__ void split(const float* __restrict__ points, float* out, int n)
{
    // Rows are 8 banks apart, so one store of 8 points × 4 members fills the 32 banks.
    __shared__ float tile[4][128 + 8];
    int t = threadIdx.x;
    int first = blockIdx.x * 128;

    // The block's 512 floats in memory order: a thread mostly loads members of other points.
    for (int e = t; e < 512; e += 128)
        if (first + e / 4 < n)
            tile[e % 4][e / 4] = points[(size_t)first * 4 + e];
    __syncthreads();

    if (first + t < n)
        for (int m = 0; m < 4; m++)
            out[(size_t)m * n + first + t] = tile[m][t];
}
