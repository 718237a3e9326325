extern "C" __global__ void scan(const int* __restrict__ a, int* out,
                                int* sums, int n)
{
    __shared__ int totals[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;
}
