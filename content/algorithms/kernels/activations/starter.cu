extern "C" __global__ void activate(const float* x, int op, float a, float b, float* out, int n, int blocks)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
}
