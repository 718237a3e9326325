extern "C" __global__ void transpose(const float* __restrict__ image, float* out,
                                     int rows, int columns)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;

    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (y + j < rows && x < columns)
            tile[ty + j][tx] = image[(size_t)(y + j) * columns + x];
    __syncthreads();

    int out_x = blockIdx.y * 32 + tx, out_y = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (y + j < rows && x < columns)
            out[(size_t)(out_y + j) * rows + out_x] = tile[tx][ty + j];
}
