// bfloat16 on the host: conversions that round to nearest even, arithmetic through float.
#pragma once

#include "cuda_fp16.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};
struct __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    __nv_bfloat16(float value) {
        uint32_t all = quiz_bits<uint32_t>(value);
        bool is_nan = (all & 0x7fffffff) > 0x7f800000;
        bits = is_nan ? 0x7fff : (unsigned short)((all + 0x7fff + (all >> 16 & 1)) >> 16);
    }
    __nv_bfloat16(const __nv_bfloat16_raw &raw) : bits(raw.x) {}
    operator __nv_bfloat16_raw() const { return {bits}; }
    operator float() const { return quiz_bits<float>((uint32_t)bits << 16); }
    QUIZ_CHANGES(__nv_bfloat16)
};
typedef __nv_bfloat16 nv_bfloat16;
QUIZ_PAIR(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
typedef __nv_bfloat162 nv_bfloat162;
static inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
static inline float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    __nv_bfloat16 made;
    made.bits = bits;
    return made;
}
