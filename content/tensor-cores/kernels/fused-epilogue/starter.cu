#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64;

extern "C" __global__ void linear_gelu(const half* __restrict__ a, const half* __restrict__ b,
                                       const float* __restrict__ bias, half* out, int m, int n, int k)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
}
