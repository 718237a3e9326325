extern "C" __global__ void sort(const int* __restrict__ a, int* out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int start = blockIdx.x * 256;
}
