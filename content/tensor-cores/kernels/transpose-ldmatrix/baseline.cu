#include <cuda_fp16.h>

constexpr int TILE = 64;

extern "C" __global__ void transpose(const half* __restrict__ a, half* out, int m, int n)
{
    __shared__ __align__(16) half tile[TILE][TILE + 2];
    int t = threadIdx.x, row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    for (int i = t; i < TILE * TILE / 2; i += 128) {
        int r = i / 32, q = i % 32 * 2;
        *(half2*)&tile[r][q] = *(const half2*)&a[(size_t)(row + r) * n + column + q];
    }
    __syncthreads();
    for (int i = t; i < TILE * TILE / 2; i += 128) {  // one half of each of two rows
        int r = i % 32 * 2, q = i / 32;
        *(half2*)&out[(size_t)(column + q) * m + row + r] = __halves2half2(tile[r][q], tile[r + 1][q]);
    }
}
