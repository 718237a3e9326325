extern "C" __global__ void spmv(const int* starts, const int* columns, const float* values,
                                const float* x, float* y, int rows, int n, int elements)
{
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows)
        return;
    float s = 0.0f;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
        s += values[i] * x[columns[i]];
    if (lane == 0)
        y[row] = s;
}
