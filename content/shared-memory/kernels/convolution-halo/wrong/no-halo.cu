extern "C" __global__ void convolve(const float* __restrict__ image, const float* __restrict__ w,
                                    float* out, int rows, int columns)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    s[ty][tx] = y < rows && x < columns ? image[(size_t)y * columns + x] : 0.0f;
    __syncthreads();

    if (y < rows && x < columns) {
        float sum = 0.0f;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int v = ty + i - 1, u = tx + j - 1;
                if (v >= 0 && v < 16 && u >= 0 && u < 16)
                    sum += w[i * 3 + j] * s[v][u];
            }
        out[(size_t)y * columns + x] = sum;
    }
}
