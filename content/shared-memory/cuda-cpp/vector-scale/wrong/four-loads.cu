extern "C" __global__ void scale(float a, const float* x, float* y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int j = i; j < i + 4 && j < n; ++j)
        y[j] = a * x[j];
}
