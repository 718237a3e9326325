extern "C" __global__ void transpose(const float* __restrict__ image, float* out,
                                     int rows, int columns)
{
    int x = blockIdx.y * 32 + threadIdx.x;
    int y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (y + j < rows && x < columns)
            out[(size_t)x * rows + y + j] = image[(size_t)(y + j) * columns + x];
}
