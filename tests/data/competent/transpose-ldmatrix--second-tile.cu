#include <cuda_fp16.h>
#include <stdint.h>

// ldmatrix in its natural order, then a second tile from which whole rows are read.
extern "C" __global__ void transpose(const half* a, half* out, int m, int n)
{
    __shared__ __align__(16) half in[64][72];
    __shared__ __align__(16) half turned[64][72];
    int t = threadIdx.x, warp = t >> 5, lane = t & 31;
    const half* from = a + (size_t)blockIdx.y * 64 * n + blockIdx.x * 64;
    half* to = out + (size_t)blockIdx.x * 64 * m + blockIdx.y * 64;
    for (int r = t >> 3; r < 64; r += 16)
        *(int4*)&in[r][(t & 7) * 8] = *(const int4*)&from[(size_t)r * n + (t & 7) * 8];
    __syncthreads();
    for (int s = warp; s < 16; s += 4) {
        int y = s / 4 * 16, x = s % 4 * 16;
        uint32_t r[4];
        uint32_t at = (uint32_t)__cvta_generic_to_shared(&in[y + (lane & 15)][x + (lane >> 4) * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
        for (int e = 0; e < 4; e++)
            *(uint32_t*)&turned[x + e / 2 * 8 + lane / 4][y + e % 2 * 8 + lane % 4 * 2] = r[e];
    }
    __syncthreads();
    for (int r = t >> 3; r < 64; r += 16)
        *(int4*)&to[(size_t)r * m + (t & 7) * 8] = *(const int4*)&turned[r][(t & 7) * 8];
}
