extern "C" __global__ void transpose(const float* __restrict__ image, float* out,
                                     int rows, int columns)
{
    // x runs along a row of out, so the stores are coalesced. The strided loads waste less:
    // the rest of a loaded sector waits in L1 for the other warps of the block.
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (y + j < columns && x < rows)
            out[(size_t)(y + j) * rows + x] = image[(size_t)x * columns + y + j];
}
