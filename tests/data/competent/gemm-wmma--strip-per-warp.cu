#include <mma.h>

// One strip of 16 rows per warp, K steps of 32, scalar loads: as a person writes it first.
extern "C" __global__ void matmul(const half* a, const half* b, float* c, int m, int n, int k)
{
    using namespace nvcuda::wmma;
    __shared__ half sa[64][40];
    __shared__ half sb[32][72];
    int t = threadIdx.x, warp = t >> 5;
    fragment<accumulator, 16, 16, 16, float> acc[4];
    for (auto& one : acc)
        fill_fragment(one, 0.f);
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int i = t; i < 64 * 32; i += blockDim.x)
            sa[i / 32][i % 32] = a[(blockIdx.y * 64 + i / 32) * k + k0 + i % 32];
        for (int i = t; i < 32 * 64; i += blockDim.x)
            sb[i / 64][i % 64] = b[(k0 + i / 64) * n + blockIdx.x * 64 + i % 64];
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 16) {
            fragment<matrix_a, 16, 16, 16, half, row_major> fa;
            fragment<matrix_b, 16, 16, 16, half, row_major> fb;
            load_matrix_sync(fa, &sa[16 * warp][kk], 40);
            for (int j = 0; j < 4; j++) {
                load_matrix_sync(fb, &sb[kk][16 * j], 72);
                mma_sync(acc[j], fa, fb, acc[j]);
            }
        }
        __syncthreads();
    }
    float* out = c + (blockIdx.y * 64 + 16 * warp) * n + blockIdx.x * 64;
    for (int j = 0; j < 4; j++)
        store_matrix_sync(out + 16 * j, acc[j], n, mem_row_major);
}
