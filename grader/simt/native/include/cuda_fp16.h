// Half precision on the host: conversions that round to nearest even, arithmetic through float.
#pragma once

#include "quiz_pairs.h"

namespace quiz {
inline unsigned short to_half(float value) {
    uint32_t bits = quiz_bits<uint32_t>(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) return (unsigned short)(sign | 0x7fff);
    if (rest >= 0x477ff000) return (unsigned short)(sign | 0x7c00);
    if (rest < 0x33000001) return (unsigned short)sign;
    int exponent = (int)(rest >> 23) - 112;
    uint32_t mantissa = (rest & 0x7fffff) | 0x800000;
    int shift = exponent > 0 ? 13 : 14 - exponent;
    uint32_t kept = mantissa >> shift, lost = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
    kept += lost > middle || (lost == middle && (kept & 1));
    return (unsigned short)(sign | (exponent > 0 ? ((uint32_t)(exponent - 1) << 10) + kept : kept));
}
inline float from_half(unsigned short bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, rest = bits & 1023;
    if (exponent == 31) return quiz_bits<float>(sign | 0x7f800000 | rest << 13);
    if (exponent == 0) {
        float small = (float)rest * 5.9604644775390625e-08f;  // 2^-24
        return sign ? -small : small;
    }
    return quiz_bits<float>(sign | (exponent + 112) << 23 | rest << 13);
}
}  // namespace quiz

// A change keeps the type, and rounds once: a sum of two halves is exact enough as a float.
#define QUIZ_CHANGES(T)                                                    \
    T &operator+=(T other) { return *this = T((float)*this + (float)other); } \
    T &operator-=(T other) { return *this = T((float)*this - (float)other); } \
    T &operator*=(T other) { return *this = T((float)*this * (float)other); } \
    T &operator/=(T other) { return *this = T((float)*this / (float)other); }

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};
struct __half {
    unsigned short bits;
    __half() = default;
    __half(float value) : bits(quiz::to_half(value)) {}
    __half(double value) : bits(quiz::to_half((float)value)) {}
    __half(int value) : bits(quiz::to_half((float)value)) {}
    __half(const __half_raw &raw) : bits(raw.x) {}
    operator __half_raw() const { return {bits}; }
    operator float() const { return quiz::from_half(bits); }
    QUIZ_CHANGES(__half)
};
typedef __half half;
QUIZ_PAIR(__half, __half2, half, half2)
typedef __half2 half2;

static inline __half __float2half(float x) { return __half(x); }
static inline __half __float2half_rn(float x) { return __half(x); }
static inline __half __double2half(double x) { return __half(x); }
static inline __half __int2half_rn(int x) { return __half(x); }
static inline float __half2float(__half x) { return (float)x; }
static inline unsigned short __half_as_ushort(__half x) { return x.bits; }
static inline __half __ushort_as_half(unsigned short bits) {
    __half made;
    made.bits = bits;
    return made;
}
