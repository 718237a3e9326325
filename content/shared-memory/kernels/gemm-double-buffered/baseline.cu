#define T 16

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[T][T], sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int start = 0; start < k; start += T) {
        int x = start + tx, y = start + ty;
        sa[ty][tx] = row < m && x < k ? a[(size_t)row * k + x] : 0.0f;
        sb[ty][tx] = y < k && column < n ? b[(size_t)y * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += sa[ty][i] * sb[i][tx];
        __syncthreads();  // the only buffer is free for the next tile
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
