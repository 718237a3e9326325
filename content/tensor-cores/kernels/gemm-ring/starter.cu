#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64, STEP = 32, STAGES = 3;

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ b, float* c,
                                  int m, int n, int k)
{
    int warp = threadIdx.x / 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
}
