extern "C" __global__ void scale(float factor,
                                 const float* __restrict__ values,
                                 float* __restrict__ out, int n, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
}
