constexpr int SIZE = 256, WARPS = SIZE / 32;

extern "C" __global__ void split(const int* keys, int* out, int bit, int n)
{
    __shared__ int s[SIZE];
    int t = threadIdx.x;
    int start = blockIdx.x * SIZE, count = min(SIZE, n - start);
}
