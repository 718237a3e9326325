extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* c,
                                  int n)
{
    __shared__ float sa[32][32], sb[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
    float total = 0.0f;
    // From the column's diagonal tile of b to the row's of a: above the diagonal no tile.
    for (int tile = blockIdx.x; tile <= (int)blockIdx.y; tile++) {
        int k = tile * 32 + tx;
        sa[ty][tx] = row < n && k <= row ? a[(size_t)row * n + k] : 0.0f;
        k = tile * 32 + ty;
        sb[ty][tx] = k < n && column <= k ? b[(size_t)k * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 32; i++)
            total += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
    if (row < n && column < n)
        c[(size_t)row * n + column] = total;
}
