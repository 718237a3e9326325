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
        for (int j = r; j < COLUMNS; j += 16) {
            size_t at = (size_t)(column + j) * k + start;
            unsigned word = w[at / 8 + q];
            half2 scale = __half2half2(scales[at / STEP]);
            __align__(16) half2 values[4];
            for (int e = 0; e < 4; e++) {
                // Codes 2e and 2e + 1 in the mantissas of 1024: 1024 + code, both at once.
                unsigned pair = word >> 8 * e;
                unsigned bits = 0x64006400 | (pair & 0xF) | (pair & 0xF0) << 12;
                half2 code = __hsub2(*(half2*)&bits, __float2half2_rn(1032.0f));
                values[e] = __hmul2(code, scale);
            }
            *(uint4*)&sw[j * PITCH + 8 * q] = *(uint4*)values;
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
