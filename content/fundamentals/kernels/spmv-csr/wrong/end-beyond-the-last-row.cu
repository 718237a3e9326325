extern "C" __global__ void spmv(const int* starts, const int* columns, const float* values,
                                const float* x, float* y, int rows, int n, int elements)
{
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;
    float s = 0.0f;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
        s += values[i] * x[columns[i]];
    for (int offset = 16; offset > 0; offset /= 2)
        s += __shfl_down_sync(0xFFFFFFFF, s, offset);
    if (lane == 0)
        y[row] = s;
}
