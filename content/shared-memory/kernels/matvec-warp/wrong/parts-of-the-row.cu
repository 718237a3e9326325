extern "C" __global__ void matvec(const float* __restrict__ matrix, const float* __restrict__ x,
                                  float* y, int rows, int columns)
{
    int lane = threadIdx.x;
    int r = blockIdx.x * 8 + threadIdx.y;
    if (r >= rows)
        return;

    const float* row = matrix + (size_t)r * columns;
    int part = (columns + 31) / 32, start = lane * part, end = min(start + part, columns);
    float s = 0.0f;
    for (int c = start; c < end; c++)
        s += row[c] * x[c];

    for (int offset = 16; offset > 0; offset /= 2)
        s += __shfl_down_sync(0xffffffff, s, offset);
    if (lane == 0)
        y[r] = s;
}
