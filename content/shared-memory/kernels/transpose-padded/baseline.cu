extern "C" __global__ void transpose(const float* __restrict__ image, float* out,
                                     int rows, int columns)
{
    // Without a tile one side is strided: here the stores.
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (y + j < rows && x < columns)
            out[(size_t)x * rows + y + j] = image[(size_t)(y + j) * columns + x];
}
