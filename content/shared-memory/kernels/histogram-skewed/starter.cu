constexpr int WARPS = 8, CLASSES = 16, LANES = 32;

extern "C" __global__ void class_sums(const unsigned char* classes, const int* weights, int* sums,
                                      int n, int blocks)
{
    int t = threadIdx.x, lane = t % LANES, warp = t / LANES;
}
