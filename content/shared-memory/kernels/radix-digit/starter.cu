constexpr int SIZE = 256, WARPS = 8, DIGITS = 16;

extern "C" __global__ void sort_digit(const int* keys, int shift, int* out, int* counts, int n)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int start = blockIdx.x * SIZE, count = min(SIZE, n - start);
    int key = t < count ? keys[start + t] : 0;
    int digit = (key >> shift) & 15;
}
