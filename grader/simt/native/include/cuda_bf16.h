// bfloat16 on the host; kernels that use it are refused.
#pragma once

#include "cuda_runtime.h"

struct __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    __nv_bfloat16(float value) {
        uint32_t all = quiz_bits<uint32_t>(value);
        bool is_nan = (all & 0x7fffffff) > 0x7f800000;
        bits = is_nan ? 0x7fff : (unsigned short)((all + 0x7fff + (all >> 16 & 1)) >> 16);
    }
    operator float() const { return quiz_bits<float>((uint32_t)bits << 16); }
};
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;
static inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
static inline float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
