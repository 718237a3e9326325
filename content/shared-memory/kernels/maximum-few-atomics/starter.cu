constexpr int WARPS = 8;

extern "C" __global__ void largest(const int* keys, int* best, int rows, int n)
{
    __shared__ int s[WARPS];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int* row = keys + (size_t)blockIdx.y * n;
}
