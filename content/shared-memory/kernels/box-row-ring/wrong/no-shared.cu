constexpr int SIZE = 128, STRIP = 32;

extern "C" __global__ void box(const float* a, float* out, int rows, int columns)
{
    int c = blockIdx.x * SIZE + threadIdx.x;
    int first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
    if (c >= columns)
        return;
    for (int r = first; r < last; ++r) {
        float total = 0.0f;
        for (int i = max(r - 1, 0); i < min(r + 2, rows); ++i)
            for (int j = max(c - 1, 0); j < min(c + 2, columns); ++j)
                total += a[(size_t)i * columns + j];
        out[(size_t)r * columns + c] = total;
    }
}
