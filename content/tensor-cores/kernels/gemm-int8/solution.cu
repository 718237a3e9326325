#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64, PITCH = TILE + 16, OUT_PITCH = 20;
typedef signed char s8;

// 128 threads load 64 rows of 64 bytes, 16 bytes each at a time.
__device__ void load_tile(s8* tile, const s8* from, int width, int rows)
{
    for (int i = threadIdx.x; i < TILE * TILE / 16; i += 128) {
        int r = i / 4, q = i % 4 * 16;
        uint4 chunk = {};
        if (r < rows)
            chunk = *(const uint4*)&from[(size_t)r * width + q];
        *(uint4*)&tile[r * PITCH + q] = chunk;
    }
}

extern "C" __global__ void matmul(const s8* __restrict__ a, const s8* __restrict__ w,
                                  const float* __restrict__ a_scales, const float* __restrict__ w_scales,
                                  float* c, int m, int n, int k)
{
    __shared__ __align__(32) s8 sa[TILE * PITCH], sw[TILE * PITCH];
    __shared__ __align__(32) int parts[4][16 * OUT_PITCH];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int y = warp / 2 * 32, x = warp % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums[i / 2][i % 2], 0);
    for (int start = 0; start < k; start += TILE) {
        load_tile(sa, a + (size_t)row * k + start, k, m - row);
        load_tile(sw, w + (size_t)column * k + start, k, TILE);
        __syncthreads();
        for (int s = 0; s < TILE; s += 16)
            for (int j = 0; j < 2; j++) {
                // A row of w is a column of the right operand.
                wmma::fragment<wmma::matrix_b, 16, 16, 16, s8, wmma::col_major> fb;
                wmma::load_matrix_sync(fb, &sw[(x + 16 * j) * PITCH + s], PITCH);
                for (int i = 0; i < 2; i++) {
                    wmma::fragment<wmma::matrix_a, 16, 16, 16, s8, wmma::row_major> fa;
                    wmma::load_matrix_sync(fa, &sa[(y + 16 * i) * PITCH + s], PITCH);
                    wmma::mma_sync(sums[i][j], fa, fb, sums[i][j]);
                }
            }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        wmma::store_matrix_sync(parts[warp], sums[i / 2][i % 2], OUT_PITCH, wmma::mem_row_major);
        __syncwarp();
        int q = lane % 16, out_column = column + x + i % 2 * 16 + q;
        for (int r = lane / 16; r < 16; r += 2) {
            int out_row = row + y + i / 2 * 16 + r;
            if (out_row < m)
                c[(size_t)out_row * n + out_column] =
                    a_scales[out_row] * w_scales[out_column] * parts[warp][r * OUT_PITCH + q];
        }
        __syncwarp();
    }
}
