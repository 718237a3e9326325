enum { EMPTY, SUM, PREFIX };

extern "C" __global__ void scan(const int* a, int* out, int* sums, int* prefixes, int* flags, int* counter,
                                int n)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
}
