#define R 4

extern "C" __global__ void stencil(const float* __restrict__ a, float* out,
                                   int n)
{
    __shared__ float s[256 + 2 * R];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
}
