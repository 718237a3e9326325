#include <cuda_fp16.h>

constexpr int TILE = 64;

// Lane l gives the address of row l % 8 of matrix l / 8. Transposed, register j of lane l has
// elements 2 * (l % 4) and 2 * (l % 4) + 1 of column l / 4 of matrix j.
__device__ void load_transposed(unsigned* r, const half* row)
{
    unsigned at = __cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}

extern "C" __global__ void transpose(const half* __restrict__ a, half* out, int m, int n)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
}
