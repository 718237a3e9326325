#include <cuda_fp8.h>

// Four numbers per thread and step: eight lanes share a group of 32.
extern "C" __global__ void quantize(const float* __restrict__ x, unsigned char* codes,
                                    unsigned char* scales, int groups)
{
    for (int step = 0; step < 2; step++) {
        int i = blockIdx.x * 512 + step * 256 + threadIdx.x, g = i / 8;
        float4 v = g < groups ? ((const float4*)x)[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        float largest = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
        for (int other = 4; other > 0; other /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, other));
        if (g >= groups)
            continue;
        int scale = max((int)(__float_as_uint(largest) >> 23) - 8, 0);
        float factor = __uint_as_float((254 - scale) << 23);  // 2 to the power of 127 - scale
        uchar4 code;  // the conversion rounds to the nearest code, ties to even, and saturates
        code.x = __nv_cvt_float_to_fp8(v.x * factor, __NV_SATFINITE, __NV_E4M3);
        code.y = __nv_cvt_float_to_fp8(v.y * factor, __NV_SATFINITE, __NV_E4M3);
        code.z = __nv_cvt_float_to_fp8(v.z * factor, __NV_SATFINITE, __NV_E4M3);
        code.w = __nv_cvt_float_to_fp8(v.w * factor, __NV_SATFINITE, __NV_E4M3);
        ((uchar4*)codes)[i] = code;
        if (i % 8 == 0)
            scales[g] = scale;
    }
}
