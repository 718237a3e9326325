constexpr int THREADS = 256, ELEMENTS = 4 * THREADS;

extern "C" __global__ void block_sums(const float* values, float* sums, int n)
{
    int t = threadIdx.x;
    int first = blockIdx.x * ELEMENTS;
    float total = 0.0f;
}
