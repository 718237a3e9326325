#define T 32

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, left = blockIdx.x * T;

    float sum = 0.0f;
    for (int start = 0; start < k; start += T) {
        int p = start + tx;
        sa[ty][tx] = row < m && p < k ? a[(size_t)row * k + p] : 0.0f;
        sb[ty][tx] = left + tx < n && start + ty < k ? b[(size_t)(left + tx) * k + start + ty] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
    if (row < m && left + tx < n)
        c[(size_t)row * n + left + tx] = sum;
}
