constexpr int SIZE = 128, STRIP = 32;

__device__ float element(const float* a, int r, int c, int rows, int columns)
{
    return r >= 0 && r < rows && c >= 0 && c < columns ? a[(size_t)r * columns + c] : 0.0f;
}

extern "C" __global__ void box(const float* a, float* out, int rows, int columns)
{
    __shared__ float tile[STRIP + 2][SIZE + 2];
    int t = threadIdx.x, c = blockIdx.x * SIZE + t;
    int first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
    for (int k = 0; k < STRIP + 2; ++k) {
        int r = first + k - 1;
        tile[k][t + 1] = element(a, r, c, rows, columns);
        if (t == 0)
            tile[k][0] = element(a, r, c - 1, rows, columns);
        if (t == SIZE - 1)
            tile[k][SIZE + 1] = element(a, r, c + 1, rows, columns);
    }
    __syncthreads();
    if (c >= columns)
        return;
    for (int r = first; r < last; ++r) {
        float total = 0.0f;
        for (int k = 0; k < 3; ++k) {
            const float* row = tile[r - first + k];
            total += row[t] + row[t + 1] + row[t + 2];
        }
        out[(size_t)r * columns + c] = total;
    }
}
