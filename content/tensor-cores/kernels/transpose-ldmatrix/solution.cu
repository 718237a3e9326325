#include <cuda_fp16.h>

constexpr int TILE = 64;

// Chunk q (16 bytes) of row r. The eight rows that a matrix takes below differ in r / 8 or in r % 2.
__device__ half* chunk_at(half* tile, int r, int q)
{
    return &tile[r * TILE + (q ^ (r / 8 % 4 * 2 + r % 2)) * 8];
}

extern "C" __global__ void transpose(const half* __restrict__ a, half* out, int m, int n)
{
    __shared__ __align__(128) half tile[TILE * TILE];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    for (int i = threadIdx.x; i < TILE * 8; i += 128) {
        int r = i / 8, q = i % 8;
        *(uint4*)chunk_at(tile, r, q) = *(const uint4*)&a[(size_t)(row + r) * n + column + 8 * q];
    }
    __syncthreads();

    // A lane gets elements 2p and 2p + 1, p = lane % 4, of a column of each matrix. If matrix j has
    // rows 2j and 2j + 1 of each 8, these are elements 8p to 8p + 7 of the column: 16 bytes of `out`.
    int i = lane % 8, j = lane / 8, from = i / 2 * 8 + 2 * j + i % 2;
    for (int part = warp; part < 16; part += 4) {
        int q = part / 2, half_of_rows = part % 2 * 32;
        unsigned at = __cvta_generic_to_shared(chunk_at(tile, half_of_rows + from, q));
        uint4 v;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at));
        size_t out_row = column + 8 * q + lane / 4;
        *(uint4*)&out[out_row * m + row + half_of_rows + lane % 4 * 8] = v;
    }
}
