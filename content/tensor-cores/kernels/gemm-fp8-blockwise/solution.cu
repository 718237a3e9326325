#include <cuda_fp8.h>

__device__ float decode(unsigned char code)
{
    __nv_fp8_e4m3 value;
    value.__x = code;
    return float(value);
}

// Tiles of 32 x 32; each of 32 x 8 threads has four rows of a column.
extern "C" __global__ void matmul(const unsigned char* __restrict__ a,
                                  const float* __restrict__ a_scales,
                                  const unsigned char* __restrict__ b,
                                  const float* __restrict__ b_scales, float* c, int m, int n,
                                  int blocks)
{
    __shared__ float sa[32][32], sb[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, k = 128 * blocks;
    int top = blockIdx.y * 32, left = blockIdx.x * 32;
    float sums[4] = {};
    for (int block = 0; block < blocks; block++) {
        float parts[4] = {};
        for (int step = 0; step < 4; step++) {
            int p = 128 * block + 32 * step + tx;
            for (int row = ty; row < 32; row += 8) {
                size_t at = (size_t)(top + row) * k + p;
                sa[row][tx] = top + row < m ? decode(a[at]) : 0.0f;
                at = (size_t)(left + row) * k + p;
                sb[row][tx] = left + row < n ? decode(b[at]) : 0.0f;
            }
            __syncthreads();
            for (int i = 0; i < 32; i++) {
                float other = sb[tx][i];
                for (int j = 0; j < 4; j++)
                    parts[j] += sa[ty + 8 * j][i] * other;
            }
            __syncthreads();
        }
        float scale = b_scales[left / 128 * blocks + block];
        for (int j = 0; j < 4; j++)
            if (top + ty + 8 * j < m)
                sums[j] += a_scales[(top + ty + 8 * j) * blocks + block] * scale * parts[j];
    }
    for (int j = 0; j < 4; j++)
        if (top + ty + 8 * j < m && left + tx < n)
            c[(size_t)(top + ty + 8 * j) * n + left + tx] = sums[j];
}
