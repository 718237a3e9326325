// A warp per row, as for a vector, for one column after the other.
extern "C" __global__ void spmm(const int* starts, const int* columns, const float* values, const float* b,
                                float* c, int rows, int n, int elements, int width)
{
    int lane = threadIdx.x, first = blockIdx.x * 32;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows)
        return;
    for (int j = first; j < min(first + 32, width); j++) {
        float s = 0.0f;
        for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
            s += values[i] * b[columns[i] * width + j];
        for (int offset = 16; offset > 0; offset /= 2)
            s += __shfl_down_sync(0xFFFFFFFF, s, offset);
        if (lane == 0)
            c[row * width + j] = s;
    }
}
