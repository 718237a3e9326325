#define T 16

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    // No padding: a warp reads one word of sa per row of threads (broadcast) and 16 consecutive
    // words of sb.
    __shared__ float sa[T][T], sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int start = 0; start < k; start += T) {
        // Zeros past the edges add nothing, so the inner loop needs no test. No early return:
        // a thread without an output still loads for the others.
        sa[ty][tx] = row < m && start + tx < k ? a[(size_t)row * k + start + tx] : 0.0f;
        sb[ty][tx] = start + ty < k && column < n ? b[(size_t)(start + ty) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += sa[ty][i] * sb[i][tx];
        __syncthreads();  // before the tiles are overwritten
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
