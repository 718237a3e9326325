extern "C" __global__ void transpose(const float* __restrict__ image, float* out,
                                     int rows, int columns)
{
    extern __shared__ float tile[];
    int tx = threadIdx.x, ty = threadIdx.y;

    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (y + j < rows && x < columns)
            tile[((ty + j) ^ (tx & 7)) * 32 + tx] = image[(size_t)(y + j) * columns + x];
    __syncthreads();

    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (y + j < columns && x < rows)
            out[(size_t)(y + j) * rows + x] = tile[(tx ^ ((ty + j) & 7)) * 32 + ty + j];
}
