#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64, PITCH = TILE + 8, OUT_PITCH = 20;

// Rows from `rows` on are filled with 0: every lane takes part in every product.
__device__ void load_tile(half* tile, const half* from, int width, int rows)
{
    for (int i = threadIdx.x; i < TILE * TILE / 8; i += 128) {
        int r = i / (TILE / 8), q = i % (TILE / 8) * 8;
        uint4 chunk = {};
        if (r < rows)
            chunk = *(const uint4*)&from[(size_t)r * width + q];
        *(uint4*)&tile[r * PITCH + q] = chunk;
    }
}

__device__ float gelu(float x)
{
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

extern "C" __global__ void linear_gelu(const half* __restrict__ a, const half* __restrict__ b,
                                       const float* __restrict__ bias, half* out, int m, int n, int k)
{
    __shared__ __align__(32) half sa[TILE * PITCH], sb[TILE * PITCH];
    __shared__ __align__(32) float parts[4][16 * OUT_PITCH];  // 16x16 sums of each warp
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int y = warp / 2 * 32, x = warp % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums[i / 2][i % 2], 0.0f);
    for (int start = 0; start < k; start += TILE) {
        load_tile(sa, a + (size_t)row * k + start, k, m - row);
        load_tile(sb, b + (size_t)start * n + column, n, TILE);
        __syncthreads();
        for (int s = 0; s < TILE; s += 16)
            for (int i = 0; i < 2; i++) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
                wmma::load_matrix_sync(fa, &sa[(y + 16 * i) * PITCH + s], PITCH);
                for (int j = 0; j < 2; j++) {
                    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
                    wmma::load_matrix_sync(fb, &sb[s * PITCH + x + 16 * j], PITCH);
                    wmma::mma_sync(sums[i][j], fa, fb, sums[i][j]);
                }
            }
        __syncthreads();
    }
    // Half a row of 16 sums per lane: 8 outputs, which are one store of 16 bytes.
    int r = lane / 2, q = lane % 2 * 8;
    for (int i = 0; i < 4; i++) {
        wmma::store_matrix_sync(parts[warp], sums[i / 2][i % 2], OUT_PITCH, wmma::mem_row_major);
        __syncwarp();
        int out_row = row + y + i / 2 * 16 + r, out_column = column + x + i % 2 * 16 + q;
        __align__(16) half values[8];
        for (int e = 0; e < 8; e++)
            values[e] = __float2half(gelu(parts[warp][r * OUT_PITCH + q + e] + bias[out_column + e]));
        if (out_row < m)
            *(uint4*)&out[(size_t)out_row * n + out_column] = *(uint4*)values;
        __syncwarp();  // before the next part overwrites this one
    }
}
