#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64, PITCH = TILE + 8;  // 144 bytes: a multiple of 16, and rows shift by 4 banks

// 128 threads load a 64x64 tile, 16 bytes each at a time.
__device__ void load_tile(half* tile, const half* from, int width)
{
    for (int i = threadIdx.x; i < TILE * TILE / 8; i += 128) {
        int r = i / (TILE / 8), q = i % (TILE / 8) * 8;
        *(uint4*)&tile[r * PITCH + q] = *(const uint4*)&from[(size_t)r * width + q];
    }
}

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ b, float* c,
                                  int m, int n, int k)
{
    __shared__ __align__(32) half sa[TILE * PITCH], sb[TILE * PITCH];
    int warp = threadIdx.x / 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int y = warp / 2 * 32, x = warp % 2 * 32;  // the warp's 32x32 part of the tile

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sums[i][j], 0.0f);

    for (int start = 0; start < k; start += TILE) {
        load_tile(sa, a + (size_t)row * k + start, k);
        load_tile(sb, b + (size_t)start * n + column, n);
        __syncthreads();
        for (int s = 0; s < TILE; s += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(fa[i], &sa[(y + 16 * i) * PITCH + s], PITCH);
                wmma::load_matrix_sync(fb[i], &sb[s * PITCH + x + 16 * i], PITCH);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
        }
        __syncthreads();  // before the next step overwrites the tiles
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            size_t at = (size_t)(row + y + 16 * i) * n + column + x + 16 * j;
            wmma::store_matrix_sync(&c[at], sums[i][j], n, wmma::mem_row_major);
        }
}
