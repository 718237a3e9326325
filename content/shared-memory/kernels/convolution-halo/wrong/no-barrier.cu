extern "C" __global__ void convolve(const float* __restrict__ image, const float* __restrict__ w,
                                    float* out, int rows, int columns)
{
    __shared__ float s[18][18];
    int tx = threadIdx.x, ty = threadIdx.y;
    int top = blockIdx.y * 16, left = blockIdx.x * 16;

    for (int k = ty * 16 + tx; k < 18 * 18; k += 256) {
        int y = top + k / 18 - 1, x = left + k % 18 - 1;
        bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
        s[k / 18][k % 18] = inside ? image[(size_t)y * columns + x] : 0.0f;
    }

    int y = top + ty, x = left + tx;
    if (y < rows && x < columns) {
        float sum = 0.0f;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum += w[i * 3 + j] * s[ty + i][tx + j];
        out[(size_t)y * columns + x] = sum;
    }
}
