extern "C" __global__ void swiglu(const float* x, float* out, int tokens, int width, int blocks)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
}
