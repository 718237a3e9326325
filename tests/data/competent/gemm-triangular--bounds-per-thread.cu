// Tiles are stored as they are; each thread adds the terms from its column to its row.
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n)
{
    __shared__ float left[32][32], right[32][32];
    int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int row = 32 * by + y, column = 32 * bx + x;
    float sum = 0.0f;
    for (int first = 32 * bx; first <= 32 * by; first += 32) {
        left[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
        right[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0.0f;
        __syncthreads();
        int from = max(column - first, 0), to = min(row - first, 31);
        for (int k = from; k <= to; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
