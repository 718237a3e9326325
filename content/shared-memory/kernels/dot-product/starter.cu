extern "C" __global__ void dot(const float* __restrict__ a, const float* __restrict__ b,
                               float* partial, int n)
{
    int t = threadIdx.x;
    int first = blockIdx.x * 2048;
    int end = min(first + 2048, n);
}
