extern "C" __global__ void scan(const float* __restrict__ a, float* out,
                                int n)
{
    __shared__ float s[2][256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
}
