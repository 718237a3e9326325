#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64, STEP = 32;
constexpr int PITCH_A = STEP + 8, PITCH_B = TILE + 8;

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ b, float* c,
                                  int m, int n, int k)
{
    __shared__ __align__(32) half sa[TILE * PITCH_A], sb[STEP * PITCH_B];
    int warp = threadIdx.x / 32, y = warp / 2 * 32, x = warp % 2 * 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    a += (size_t)row * k;
    b += column;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums[i / 2][i % 2], 0.0f);
    for (int start = 0; start < k; start += STEP) {
        for (int i = threadIdx.x; i < TILE * STEP / 8; i += 128) {
            int r = i / 4, q = i % 4 * 8;
            *(uint4*)&sa[r * PITCH_A + q] = *(const uint4*)&a[(size_t)r * k + start + q];
        }
        for (int i = threadIdx.x; i < STEP * TILE / 8; i += 128) {
            int r = i / 8, q = i % 8 * 8;
            *(uint4*)&sb[r * PITCH_B + q] = *(const uint4*)&b[(size_t)(start + r) * n + q];
        }
        __syncthreads();
        for (int s = 0; s < STEP; s += 16)
            for (int i = 0; i < 2; i++) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
                wmma::load_matrix_sync(fa, &sa[(y + 16 * i) * PITCH_A + s], PITCH_A);
                for (int j = 0; j < 2; j++) {
                    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
                    wmma::load_matrix_sync(fb, &sb[s * PITCH_B + x + 16 * j], PITCH_B);
                    wmma::mma_sync(sums[i][j], fa, fb, sums[i][j]);
                }
            }
        __syncthreads();  // before the only stage is filled again
    }
    for (int i = 0; i < 4; i++) {
        size_t at = (size_t)(row + y + i / 2 * 16) * n + column + x + i % 2 * 16;
        wmma::store_matrix_sync(&c[at], sums[i / 2][i % 2], n, wmma::mem_row_major);
    }
}
