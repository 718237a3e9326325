#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void dequantize(const unsigned char* __restrict__ codes,
                                      const unsigned char* __restrict__ scales, half* out, int groups)
{
    // A group of 16 per thread, in half of the threads.
    int g = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x >= 128 || g >= groups)
        return;
    __nv_fp8_e4m3 scale;
    scale.__x = scales[g];
    half factor = half(scale);
    for (int e = 0; e < 16; e++) {
        unsigned code = codes[8 * g + e / 2] >> 4 * (e % 2);
        half value = __ushort_as_half((code & 8) << 12 | (code & 7) << 9);
        out[16 * g + e] = value * half(16384.0f) * factor;
    }
}
