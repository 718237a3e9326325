constexpr int THREADS = 256;

extern "C" __global__ void block_sums(const float* values, float* sums, int n)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * THREADS + t;
}
