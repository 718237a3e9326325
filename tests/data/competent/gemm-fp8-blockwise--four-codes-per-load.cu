// Four codes per load, decoded by their bits; each thread has four adjacent rows.
__device__ float decode(unsigned code)
{
    return __uint_as_float((code & 0x80) << 24 | (code & 0x7F) << 20) * 0x1p120f;
}

__device__ void store(float* to, unsigned codes)
{
    for (int e = 0; e < 4; e++)
        to[e] = decode(codes >> 8 * e & 0xFF);
}

extern "C" __global__ void matmul(const unsigned char* a, const float* a_scales,
                                  const unsigned char* b, const float* b_scales, float* c, int m,
                                  int n, int blocks)
{
    __shared__ float left[32][33], right[32][33];
    int x = threadIdx.x, y = threadIdx.y, t = 32 * y + x;
    int i0 = 32 * blockIdx.y, j0 = 32 * blockIdx.x, words = 32 * blocks;
    float sums[4] = {0, 0, 0, 0}, part[4] = {0, 0, 0, 0};
    for (int step = 0; step < 4 * blocks; step++) {
        int row = t / 8, at = 8 * step + t % 8;
        unsigned zero = 0;
        store(&left[row][t % 8 * 4], i0 + row < m ? ((const unsigned*)a)[(i0 + row) * words + at] : zero);
        store(&right[row][t % 8 * 4], j0 + row < n ? ((const unsigned*)b)[(j0 + row) * words + at] : zero);
        __syncthreads();
        for (int p = 0; p < 32; p++)
            for (int s = 0; s < 4; s++)
                part[s] += left[4 * y + s][p] * right[x][p];
        __syncthreads();
        if (step % 4 < 3)
            continue;
        float scale = b_scales[j0 / 128 * blocks + step / 4];
        for (int s = 0; s < 4; s++) {
            if (i0 + 4 * y + s < m)
                sums[s] += part[s] * (a_scales[(i0 + 4 * y + s) * blocks + step / 4] * scale);
            part[s] = 0.0f;
        }
    }
    for (int s = 0; s < 4; s++)
        if (i0 + 4 * y + s < m && j0 + x < n)
            c[(i0 + 4 * y + s) * n + j0 + x] = sums[s];
}
