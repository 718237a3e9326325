#include <cuda_fp16.h>

extern "C" __global__ void dequantize(const unsigned char* __restrict__ codes,
                                      const unsigned char* __restrict__ scales, half* out, int groups)
{
    int t = blockIdx.x * 256 + threadIdx.x;
}
