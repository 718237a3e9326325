#include <cuda_fp16.h>

constexpr int TILE = 64;

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ b, float* c,
                                  int m, int n, int k)
{
    __shared__ half sa[TILE][TILE], sb[TILE][TILE];
    int t = threadIdx.x, y = t / 16 * 8, x = t % 16;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    float sums[8][4] = {};

    for (int start = 0; start < k; start += TILE) {
        for (int i = t; i < TILE * TILE; i += 128) {
            sa[i / TILE][i % TILE] = a[(size_t)(row + i / TILE) * k + start + i % TILE];
            sb[i / TILE][i % TILE] = b[(size_t)(start + i / TILE) * n + column + i % TILE];
        }
        __syncthreads();
        for (int s = 0; s < TILE; s++)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 4; j++)
                    sums[i][j] += __half2float(sa[y + i][s]) * __half2float(sb[s][x + 16 * j]);
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            c[(size_t)(row + y + i) * n + column + x + 16 * j] = sums[i][j];
}
