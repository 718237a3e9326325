#define T 16

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[2][T][T], sb[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    const float* a_row = a + (size_t)row * k;

    float sum = 0.0f;
    int now = 0;
    for (int next = 0; next < k; next += T) {
        int x = next + tx, y = next + ty;
        float next_a = row < m && x < k ? a_row[x] : 0.0f;
        float next_b = y < k && column < n ? b[(size_t)y * n + column] : 0.0f;
        for (int i = 0; i < T; i++)
            sum += sa[now][ty][i] * sb[now][i][tx];
        now ^= 1;
        sa[now][ty][tx] = next_a;
        sb[now][ty][tx] = next_b;
        __syncthreads();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
