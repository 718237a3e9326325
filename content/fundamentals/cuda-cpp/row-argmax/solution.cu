extern "C" __global__ void row_argmax(const float* x, int* out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    unsigned long long best = 0;
    for (int c = threadIdx.x; c < columns; c += 32) {
        // The complement: of equal values, the smallest column has the largest key.
        unsigned long long key = __float_as_uint(x[row * columns + c]);
        key = key << 32 | ~static_cast<unsigned>(c);
        best = max(best, key);
    }
    for (int offset = 16; offset > 0; offset /= 2)
        best = max(best, __shfl_down_sync(0xffffffff, best, offset));
    if (threadIdx.x == 0)
        out[row] = static_cast<int>(~static_cast<unsigned>(best));
}
