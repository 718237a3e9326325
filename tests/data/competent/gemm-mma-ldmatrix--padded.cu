#include <cuda_fp16.h>
#include <stdint.h>

// Padded rows, ldmatrix.x2 for w, and a strip of 16 rows per warp.
extern "C" __global__ void matmul(const half* a, const half* w, float* c, int m, int n, int k)
{
    __shared__ __align__(16) half sa[64][72];
    __shared__ __align__(16) half sw[64][72];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    float acc[8][4];
    for (int j = 0; j < 8; j++)
        for (int e = 0; e < 4; e++)
            acc[j][e] = 0.f;
    for (int k0 = 0; k0 < k; k0 += 64) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            int r = i >> 3, q = (i & 7) * 8;
            *(int4*)&sa[r][q] = *(const int4*)(a + (m0 + r) * k + k0 + q);
            *(int4*)&sw[r][q] = *(const int4*)(w + (n0 + r) * k + k0 + q);
        }
        __syncthreads();
        for (int kk = 0; kk < 64; kk += 16) {
            uint32_t A[4], B[2];
            uint32_t from = (uint32_t)__cvta_generic_to_shared(&sa[16 * warp + (lane & 15)][kk + (lane >> 4) * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                         : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3]) : "r"(from));
            for (int j = 0; j < 8; j++) {
                from = (uint32_t)__cvta_generic_to_shared(&sw[8 * j + (lane & 7)][kk + (lane >> 3 & 1) * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];\n"
                             : "=r"(B[0]), "=r"(B[1]) : "r"(from));
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                             "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
                             : "=f"(acc[j][0]), "=f"(acc[j][1]), "=f"(acc[j][2]), "=f"(acc[j][3])
                             : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]),
                               "f"(acc[j][0]), "f"(acc[j][1]), "f"(acc[j][2]), "f"(acc[j][3]));
            }
        }
        __syncthreads();
    }
    float* out = c + (m0 + 16 * warp + (lane >> 2)) * n + n0 + (lane & 3) * 2;
    for (int j = 0; j < 8; j++) {
        *(float2*)(out + 8 * j) = make_float2(acc[j][0], acc[j][1]);
        *(float2*)(out + 8 * n + 8 * j) = make_float2(acc[j][2], acc[j][3]);
    }
}
