extern "C" __global__ void split(const float* __restrict__ points,
                                 float* out, int n)
{
    int t = threadIdx.x;
    int first = blockIdx.x * 128;
}
