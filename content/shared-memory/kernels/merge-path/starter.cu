constexpr int THREADS = 256, LONGEST = 1024, BOTH = 2048;

extern "C" __global__ void merge(const int* a, const int* b, int* out, int rows, int m, int n)
{
    __shared__ int sa[LONGEST], sb[LONGEST];
    int t = threadIdx.x, r = blockIdx.x;
    int each = (m + n + THREADS - 1) / THREADS;
    // Outputs t * each … t * each + each - 1 of row r
}
