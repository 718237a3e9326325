extern "C" __global__ void reverse(float* a, int n, int blocks)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
}
