#include <mma.h>

// Codes are exact in half, so each group is summed without scales; these multiply its sums.
extern "C" __global__ void matmul(const half* a, const unsigned* w, const half* scales, half* c,
                                  int m, int n, int k)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) half sa[16][72];
    __shared__ __align__(32) half sw[64][72];
    __shared__ __align__(32) float part[16][68];
    int t = threadIdx.x, m0 = blockIdx.y * 16, n0 = blockIdx.x * 64, groups = k / 64;
    int column = t % 64, first = t / 64;
    float total[8] = {};
    for (int g = 0; g < groups; g++) {
        for (int i = t; i < 16 * 32; i += 128) {
            int r = i / 32, q = i % 32 * 2;
            half2 pair = __floats2half2_rn(0.f, 0.f);
            if (m0 + r < m)
                pair = *(const half2*)&a[(size_t)(m0 + r) * k + 64 * g + q];
            *(half2*)&sa[r][q] = pair;
        }
        for (int i = t; i < 64 * 8; i += 128) {
            unsigned word = w[(size_t)(n0 + i / 8) * (k / 8) + 8 * g + i % 8];
            for (int e = 0; e < 8; e++)
                sw[i / 8][i % 8 * 8 + e] = __int2half_rn((int)(word >> 4 * e & 15) - 8);
        }
        __syncthreads();
        fragment<accumulator, 16, 16, 16, float> sums;
        fill_fragment(sums, 0.f);
        for (int s = 0; s < 64; s += 16) {
            fragment<matrix_a, 16, 16, 16, half, row_major> fa;
            fragment<matrix_b, 16, 16, 16, half, col_major> fw;
            load_matrix_sync(fa, &sa[0][s], 72);
            load_matrix_sync(fw, &sw[t / 32 * 16][s], 72);
            mma_sync(sums, fa, fw, sums);
        }
        store_matrix_sync(&part[0][t / 32 * 16], sums, 68, mem_row_major);
        __syncthreads();
        float scale = __half2float(scales[(size_t)(n0 + column) * groups + g]);
        for (int i = 0; i < 8; i++)
            total[i] += scale * part[2 * i + first][column];
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        if (m0 + 2 * i + first < m)
            c[(size_t)(m0 + 2 * i + first) * n + n0 + column] = __float2half(total[i]);
}
