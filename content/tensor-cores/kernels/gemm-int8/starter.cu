#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64;

extern "C" __global__ void matmul(const signed char* __restrict__ a, const signed char* __restrict__ w,
                                  const float* __restrict__ a_scales, const float* __restrict__ w_scales,
                                  float* c, int m, int n, int k)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
}
