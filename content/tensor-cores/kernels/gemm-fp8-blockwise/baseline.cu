#include <cuda_fp8.h>

__device__ float decode(unsigned char code)
{
    __nv_fp8_e4m3 value;
    value.__x = code;
    return float(value);
}

// Tiles of codes: each is decoded for every product.
extern "C" __global__ void matmul(const unsigned char* __restrict__ a,
                                  const float* __restrict__ a_scales,
                                  const unsigned char* __restrict__ b,
                                  const float* __restrict__ b_scales, float* c, int m, int n,
                                  int blocks)
{
    __shared__ unsigned char sa[32][32], sb[32][36];
    int tx = threadIdx.x, ty = threadIdx.y, k = 128 * blocks;
    int top = blockIdx.y * 32, left = blockIdx.x * 32;
    float sums[4] = {};
    for (int start = 0; start < k; start += 32) {
        for (int row = ty; row < 32; row += 8) {
            sa[row][tx] = top + row < m ? a[(size_t)(top + row) * k + start + tx] : 0;
            sb[row][tx] = left + row < n ? b[(size_t)(left + row) * k + start + tx] : 0;
        }
        __syncthreads();
        float scale = b_scales[left / 128 * blocks + start / 128];
        for (int j = 0; j < 4; j++) {
            float part = 0.0f;
            for (int i = 0; i < 32; i++)
                part += decode(sa[ty + 8 * j][i]) * decode(sb[tx][i]);
            if (top + ty + 8 * j < m)
                sums[j] += a_scales[(top + ty + 8 * j) * blocks + start / 128] * scale * part;
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        if (top + ty + 8 * j < m && left + tx < n)
            c[(size_t)(top + ty + 8 * j) * n + left + tx] = sums[j];
}
