// Floats of 8 bits on the host: rounded to nearest even, saturated, and read back.
#pragma once

#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace quiz {
inline double from_fp8(unsigned code, __nv_fp8_interpretation_t kind) {
    int digits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    unsigned size = code & 0x7f, top = kind == __NV_E4M3 ? 0x7f : 0x7c;
    int exponent = (int)(size >> digits), whole = (int)(size & ((1u << digits) - 1));
    double value = ldexp(whole + (exponent ? 1 << digits : 0), (exponent ? exponent : 1) - bias - digits);
    if (size >= top) value = size == 0x7c ? INFINITY : NAN;
    return code & 0x80 ? -value : value;
}
inline unsigned char to_fp8(double value, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    if (value != value) return 0x7f;
    unsigned sign = std::signbit(value) ? 0x80 : 0, largest = kind == __NV_E4M3 ? 0x7e : 0x7b, code = 0;
    double size = fabs(value), limit = kind == __NV_E4M3 ? 464 : 61440;
    if (kind == __NV_E4M3 ? size > limit : size >= limit)
        return (unsigned char)(sign | (saturate == __NV_SATFINITE ? largest : largest + 1));
    while (code < largest) {
        double middle = (from_fp8(code, kind) + from_fp8(code + 1, kind)) / 2;
        if (size < middle || (size == middle && !(code & 1))) break;
        code++;
    }
    return (unsigned char)(sign | code);
}
template <__nv_fp8_interpretation_t KIND>
struct fp8 {
    __nv_fp8_storage_t __x;
    fp8() = default;
    explicit fp8(float value) : __x(to_fp8(value, __NV_SATFINITE, KIND)) {}
    explicit fp8(double value) : __x(to_fp8(value, __NV_SATFINITE, KIND)) {}
    explicit fp8(int value) : __x(to_fp8(value, __NV_SATFINITE, KIND)) {}
    explicit fp8(__half value) : __x(to_fp8((float)value, __NV_SATFINITE, KIND)) {}
    explicit fp8(__nv_bfloat16 value) : __x(to_fp8((float)value, __NV_SATFINITE, KIND)) {}
    explicit operator float() const { return (float)from_fp8(__x, KIND); }
    explicit operator double() const { return from_fp8(__x, KIND); }
    explicit operator __half() const { return __half((float)*this); }
};
}  // namespace quiz

typedef quiz::fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef quiz::fp8<__NV_E5M2> __nv_fp8_e5m2;
struct __nv_fp8x2_e4m3 {
    __nv_fp8x2_storage_t __x;
};
struct __nv_fp8x2_e5m2 {
    __nv_fp8x2_storage_t __x;
};
struct __nv_fp8x4_e4m3 {
    __nv_fp8x4_storage_t __x;
};
struct __nv_fp8x4_e5m2 {
    __nv_fp8x4_storage_t __x;
};

static inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return quiz::to_fp8(x, saturate, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return quiz::to_fp8(x, saturate, kind);
}
