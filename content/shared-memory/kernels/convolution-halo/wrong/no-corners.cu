extern "C" __global__ void convolve(const float* __restrict__ image, const float* __restrict__ w,
                                    float* out, int rows, int columns)
{
    __shared__ float s[18][18];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    const float* pixel = image + (size_t)y * columns + x;

    s[ty + 1][tx + 1] = y < rows && x < columns ? *pixel : 0.0f;
    if (ty == 0)
        s[0][tx + 1] = y > 0 && x < columns ? pixel[-columns] : 0.0f;
    if (ty == 15)
        s[17][tx + 1] = y + 1 < rows && x < columns ? pixel[columns] : 0.0f;
    if (tx == 0)
        s[ty + 1][0] = x > 0 && y < rows ? pixel[-1] : 0.0f;
    if (tx == 15)
        s[ty + 1][17] = x + 1 < columns && y < rows ? pixel[1] : 0.0f;
    __syncthreads();

    if (y < rows && x < columns) {
        float sum = 0.0f;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum += w[i * 3 + j] * s[ty + i][tx + j];
        out[(size_t)y * columns + x] = sum;
    }
}
