#include <mma.h>

__device__ __forceinline__ void copy16(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}

// Four stages of 32 along k, copied by inline PTX; the last steps wait for everything.
extern "C" __global__ void matmul(const half* a, const half* b, float* c, int m, int n, int k)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) half sa[4][64 * 40];
    __shared__ __align__(32) half sb[4][32 * 72];
    int t = threadIdx.x, warp = t / 32, m0 = blockIdx.y * 64, n0 = blockIdx.x * 64, steps = k / 32;
    fragment<accumulator, 16, 16, 16, float> acc[4];
    for (int j = 0; j < 4; j++)
        fill_fragment(acc[j], 0.f);
    auto begin = [&](int s) {
        for (int i = t; i < 256; i += 128) {
            copy16(&sa[s % 4][i / 4 * 40 + i % 4 * 8], a + (size_t)(m0 + i / 4) * k + 32 * s + i % 4 * 8);
            copy16(&sb[s % 4][i / 8 * 72 + i % 8 * 8], b + (size_t)(32 * s + i / 8) * n + n0 + i % 8 * 8);
        }
        asm volatile("cp.async.commit_group;\n");
    };
    for (int s = 0; s < 3 && s < steps; s++)
        begin(s);
    for (int s = 0; s < steps; s++) {
        if (s + 2 < steps)
            asm volatile("cp.async.wait_group 2;\n");
        else
            asm volatile("cp.async.wait_group 0;\n");
        __syncthreads();
        if (s + 3 < steps)
            begin(s + 3);
        for (int kk = 0; kk < 32; kk += 16) {
            fragment<matrix_a, 16, 16, 16, half, row_major> fa;
            load_matrix_sync(fa, &sa[s % 4][16 * warp * 40 + kk], 40);
            for (int j = 0; j < 4; j++) {
                fragment<matrix_b, 16, 16, 16, half, row_major> fb;
                load_matrix_sync(fb, &sb[s % 4][kk * 72 + 16 * j], 72);
                mma_sync(acc[j], fa, fb, acc[j]);
            }
        }
    }
    for (int j = 0; j < 4; j++)
        store_matrix_sync(c + (size_t)(m0 + 16 * warp) * n + n0 + 16 * j, acc[j], n, mem_row_major);
}
