extern "C" __global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // The grid is rounded up to whole blocks: the last one may have threads without an element.
    if (i < n)
        y[i] = a * x[i] + y[i];
}
