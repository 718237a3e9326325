extern "C" __global__ void softmax(const float* __restrict__ x, float* out,
                                   int rows, int columns)
{
    int t = threadIdx.x;
    size_t row = (size_t)blockIdx.x * columns;
    float v[4];  // x[row + t], x[row + t + 256], …
}
