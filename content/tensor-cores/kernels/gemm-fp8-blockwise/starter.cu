#include <cuda_fp8.h>

extern "C" __global__ void matmul(const unsigned char* a, const float* a_scales,
                                  const unsigned char* b, const float* b_scales, float* c, int m,
                                  int n, int blocks)
{
    int tx = threadIdx.x, ty = threadIdx.y, k = 128 * blocks;
    int top = blockIdx.y * 32, left = blockIdx.x * 32;
}
