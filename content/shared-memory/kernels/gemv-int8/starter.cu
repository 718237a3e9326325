#include <cuda_fp16.h>

constexpr int WARPS = 8, GROUP = 64, LONGEST = 4096;

extern "C" __global__ void gemv(const signed char* w, const float* scales, const __half* x, float* y,
                                int rows, int groups)
{
    __shared__ float xs[LONGEST];
    int columns = groups * GROUP;
    int lane = threadIdx.x, t = threadIdx.y * 32 + lane;
    int row = blockIdx.x * WARPS + threadIdx.y;
}
