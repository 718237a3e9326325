extern "C" __global__ void softmax(const float* __restrict__ x, float* out, int rows, int columns)
{
    __shared__ float row[1024], found[2];
    int t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * columns;
    for (int c = t; c < columns; c += 256)
        row[c] = x[first + c];
    __syncthreads();
    if (t == 0) {
        float top = row[0];
        for (int c = 1; c < columns; c++)
            top = fmaxf(top, row[c]);
        float total = 0.0f;
        for (int c = 0; c < columns; c++)
            total += expf(row[c] - top);
        found[0] = top;
        found[1] = total;
    }
    __syncthreads();
    for (int c = t; c < columns; c += 256)
        out[first + c] = expf(row[c] - found[0]) / found[1];
}
