extern "C" __global__ void transpose(const double* __restrict__ image, double* out,
                                     int rows, int columns)
{
    __shared__ double tile[16][16];  // a column is in one pair of banks
    int tx = threadIdx.x, ty = threadIdx.y;

    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    for (int j = 0; j < 16; j += 4)
        if (y + j < rows && x < columns)
            tile[ty + j][tx] = image[(size_t)(y + j) * columns + x];
    __syncthreads();

    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    for (int j = 0; j < 16; j += 4)
        if (y + j < columns && x < rows)
            out[(size_t)(y + j) * rows + x] = tile[tx][ty + j];
}
