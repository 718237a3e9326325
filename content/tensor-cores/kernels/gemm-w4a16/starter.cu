#include <mma.h>
using namespace nvcuda;

constexpr int ROWS = 16, COLUMNS = 64;

extern "C" __global__ void matmul(const half* __restrict__ a, const unsigned* __restrict__ w,
                                  const half* __restrict__ scales, half* c, int m, int n, int k)
{
    int t = threadIdx.x, warp = t / 32;
    int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
}
