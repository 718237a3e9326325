extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* c,
                                  int n)
{
    // All tiles, also those above the diagonal.
    __shared__ float sa[32][32], sb[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
    float total = 0.0f;
    for (int tile = 0; tile < (n + 31) / 32; tile++) {
        int k = tile * 32 + tx;
        float value = row < n && k < n ? a[(size_t)row * n + k] : 0.0f;
        sa[ty][tx] = k <= row ? value : 0.0f;
        k = tile * 32 + ty;
        value = k < n && column < n ? b[(size_t)k * n + column] : 0.0f;
        sb[ty][tx] = column <= k ? value : 0.0f;
        __syncthreads();
        for (int i = 0; i < 32; i++)
            total += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
    if (row < n && column < n)
        c[(size_t)row * n + column] = total;
}
