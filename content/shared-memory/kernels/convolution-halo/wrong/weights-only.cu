extern "C" __global__ void convolve(const float* __restrict__ image, const float* __restrict__ w,
                                    float* out, int rows, int columns)
{
    __shared__ float s[3][3];
    int tx = threadIdx.x, ty = threadIdx.y;
    if (ty < 3 && tx < 3)
        s[ty][tx] = w[ty * 3 + tx];
    __syncthreads();

    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (y < rows && x < columns) {
        float sum = 0.0f;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int v = y + i - 1, u = x + j - 1;
                if (v >= 0 && v < rows && u >= 0 && u < columns)
                    sum += s[i][j] * image[(size_t)v * columns + u];
            }
        out[(size_t)y * columns + x] = sum;
    }
}
