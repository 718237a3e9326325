extern "C" __global__ void convolve(const float* __restrict__ image, const float* __restrict__ w,
                                    float* out, int rows, int columns)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (y >= rows || x >= columns)
        return;
    float sum = 0.0f;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int v = y + i - 1, u = x + j - 1;
            if (v >= 0 && v < rows && u >= 0 && u < columns)
                sum += w[i * 3 + j] * image[(size_t)v * columns + u];  // repeats hit in L1
        }
    out[(size_t)y * columns + x] = sum;
}
