extern "C" __global__ void spmv(const int* starts, const int* columns, const float* values,
                                const float* x, float* y, int rows, int n, int elements)
{
    int row = blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x;
    if (row >= rows)
        return;
    float s = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        s += values[i] * x[columns[i]];
    y[row] = s;
}
