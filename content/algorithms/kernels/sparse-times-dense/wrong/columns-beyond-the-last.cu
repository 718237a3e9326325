// A warp per row and 32 columns of the result: a lane keeps the sum of its column.
extern "C" __global__ void spmm(const int* starts, const int* columns, const float* values, const float* b,
                                float* c, int rows, int n, int elements, int width)
{
    int j = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows)
        return;
    int end = starts[row + 1];
    float s = 0.0f;
    for (int i = starts[row]; i < end; i++)
        s += values[i] * b[columns[i] * width + j];  // one value and one row of b for all lanes
    c[row * width + j] = s;
}
