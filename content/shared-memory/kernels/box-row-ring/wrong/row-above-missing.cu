constexpr int SIZE = 128, STRIP = 32, STAGES = 4;

__device__ float element(const float* a, int r, int c, int rows, int columns)
{
    return r >= 0 && r < rows && c >= 0 && c < columns ? a[(size_t)r * columns + c] : 0.0f;
}

__device__ void load_row(float (*ring)[SIZE + 2], const float* a, int r, int c, int rows,
                         int columns)
{
    int t = threadIdx.x, stage = (r + STAGES) % STAGES;
    ring[stage][t + 1] = element(a, r, c, rows, columns);
    if (t == 0)
        ring[stage][0] = element(a, r, c - 1, rows, columns);
    if (t == SIZE - 1)
        ring[stage][SIZE + 1] = element(a, r, c + 1, rows, columns);
}

extern "C" __global__ void box(const float* a, float* out, int rows, int columns)
{
    __shared__ float ring[STAGES][SIZE + 2];
    int t = threadIdx.x, c = blockIdx.x * SIZE + t;
    int first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
    load_row(ring, a, first, c, rows, columns);
    for (int r = first; r < last; ++r) {
        load_row(ring, a, r + 1, c, rows, columns);
        __syncthreads();
        float total = 0.0f;
        for (int k = -1; k <= 1; ++k) {
            const float* row = ring[(r + k + STAGES) % STAGES];
            total += row[t] + row[t + 1] + row[t + 2];
        }
        if (c < columns)
            out[(size_t)r * columns + c] = total;
    }
}
