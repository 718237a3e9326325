#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64;

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ b, float* c,
                                  int m, int n, int k)
{
    int warp = threadIdx.x / 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int y = warp / 2 * 32, x = warp % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sums[i][j], 0.0f);

    for (int s = 0; s < k; s += 16) {  // no shared memory: two warps load the same rows
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(fa[i], &a[(size_t)(row + y + 16 * i) * k + s], k);
            wmma::load_matrix_sync(fb[i], &b[(size_t)s * n + column + x + 16 * i], n);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            size_t at = (size_t)(row + y + 16 * i) * n + column + x + 16 * j;
            wmma::store_matrix_sync(&c[at], sums[i][j], n, wmma::mem_row_major);
        }
}
