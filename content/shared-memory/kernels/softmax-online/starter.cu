extern "C" __global__ void softmax(const float* x, float* out, int rows,
                                   int columns)
{
    __shared__ float tops[256], sums[256];
    const float* row = x + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    // (top, total) of row[t], row[t + 256], …
}
