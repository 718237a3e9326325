#include <mma.h>

// Warps own 16 rows; the tile of sums goes through shared memory as a whole, then by rows.
extern "C" __global__ void linear_gelu(const half* a, const half* b, const float* bias, half* out,
                                       int m, int n, int k)
{
    using namespace nvcuda::wmma;
    __shared__ union { struct { half a[64][40], b[32][72]; } in; float sums[64][68]; } s;
    int t = threadIdx.x, warp = t / 32, m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    fragment<accumulator, 16, 16, 16, float> acc[4];
    for (int j = 0; j < 4; j++)
        fill_fragment(acc[j], 0.f);
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int i = t; i < 256; i += 128) {
            int r = i / 4, q = i % 4 * 8;
            if (m0 + r < m)
                *(int4*)&s.in.a[r][q] = *(const int4*)&a[(m0 + r) * k + k0 + q];
            else
                *(int4*)&s.in.a[r][q] = make_int4(0, 0, 0, 0);
        }
        for (int i = t; i < 256; i += 128)
            *(int4*)&s.in.b[i / 8][i % 8 * 8] = *(const int4*)&b[(k0 + i / 8) * n + n0 + i % 8 * 8];
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 16) {
            fragment<matrix_a, 16, 16, 16, half, row_major> fa;
            load_matrix_sync(fa, &s.in.a[16 * warp][kk], 40);
            for (int j = 0; j < 4; j++) {
                fragment<matrix_b, 16, 16, 16, half, row_major> fb;
                load_matrix_sync(fb, &s.in.b[kk][16 * j], 72);
                mma_sync(acc[j], fa, fb, acc[j]);
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        store_matrix_sync(&s.sums[16 * warp][16 * j], acc[j], 68, mem_row_major);
    __syncthreads();
    int q = t % 32 * 2;
    float left = bias[n0 + q], right = bias[n0 + q + 1];
    for (int r = warp; r < 64 && m0 + r < m; r += 4) {
        float u = s.sums[r][q] + left, v = s.sums[r][q + 1] + right;
        u *= 0.5f * (1.f + tanhf(0.79788456f * (u + 0.044715f * u * u * u)));
        v *= 0.5f * (1.f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
        *(half2*)&out[(m0 + r) * n + n0 + q] = __floats2half2_rn(u, v);
    }
}
