#include <cuda_fp16.h>
#include <cuda_fp8.h>

// Eight codes per thread: a load of 4 bytes, a store of 16.
extern "C" __global__ void dequantize(const unsigned char* __restrict__ codes,
                                      const unsigned char* __restrict__ scales, half* out, int groups)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= 2 * groups)
        return;
    unsigned packed = ((const unsigned*)codes)[i];
    __nv_fp8_e4m3 scale;
    scale.__x = scales[i / 2];
    half factor = half(scale);
    __align__(16) half values[8];
    for (int e = 0; e < 8; e++) {
        unsigned code = packed >> 4 * e;  // in the low four bits
        // Exponent and mantissa at their places in a half, too small by 2^14: subnormals included.
        half value = __ushort_as_half((code & 8) << 12 | (code & 7) << 9);
        values[e] = value * half(16384.0f) * factor;
    }
    ((uint4*)out)[i] = *(uint4*)values;
}
