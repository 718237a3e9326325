#include <mma.h>
using namespace nvcuda;

constexpr int ROWS = 16, COLUMNS = 64, STEP = 64, PITCH = STEP + 8;  // a group of 64 per step

extern "C" __global__ void matmul(const half* __restrict__ a, const unsigned* __restrict__ w,
                                  const half* __restrict__ scales, half* c, int m, int n, int k)
{
    __shared__ __align__(32) half sa[ROWS * PITCH], sw[COLUMNS * PITCH];
    __shared__ __align__(32) float parts[ROWS * 68];
    int t = threadIdx.x, warp = t / 32;
    int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
    int r = t / 8, q = t % 8;  // of the tiles: rows r, r + 16, …, and word q, which has 8 codes

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int start = 0; start < k; start += STEP) {
        uint4 chunk = {};
        if (row + r < m)
            chunk = *(const uint4*)&a[(size_t)(row + r) * k + start + 8 * q];
        *(uint4*)&sa[r * PITCH + 8 * q] = chunk;
        for (int i = t; i < COLUMNS * STEP; i += 128) {  // a word for each of its codes
            size_t at = (size_t)(column + i / STEP) * k + start + i % STEP;
            int code = w[at / 8] >> i % 8 * 4 & 15;
            sw[i / STEP * PITCH + i % STEP] = __float2half((code - 8) * __half2float(scales[at / STEP]));
        }
        __syncthreads();
        for (int s = 0; s < STEP; s += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fw;
            wmma::load_matrix_sync(fa, &sa[s], PITCH);
            wmma::load_matrix_sync(fw, &sw[16 * warp * PITCH + s], PITCH);
            wmma::mma_sync(sums, fa, fw, sums);
        }
        __syncthreads();
    }
    wmma::store_matrix_sync(&parts[16 * warp], sums, 68, wmma::mem_row_major);
    __syncthreads();
    for (int i = t; i < ROWS * COLUMNS; i += 128)
        if (row + i / COLUMNS < m)
            c[(size_t)(row + i / COLUMNS) * n + column + i % COLUMNS] =
                __float2half(parts[i / COLUMNS * 68 + i % COLUMNS]);
}
