extern "C" __global__ void row_argmax(const float* x, int* out,
                                      int rows, int columns)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    // One 64-bit key per element: compare values first, then columns.
    unsigned long long best = 0;
}
