// What a device's code may use and host code may see: names that a function for both sides calls.
#pragma once

static const uint3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0};
static const dim3 blockDim(1, 1, 1), gridDim(1, 1, 1);
static const int warpSize = 32;

#define QUIZ_EXTREMES(type)                                              \
    static inline type min(type a, type b) { return b < a ? b : a; }     \
    static inline type max(type a, type b) { return a < b ? b : a; }
QUIZ_EXTREMES(int)
QUIZ_EXTREMES(unsigned int)
QUIZ_EXTREMES(long)
QUIZ_EXTREMES(unsigned long)
QUIZ_EXTREMES(long long)
QUIZ_EXTREMES(unsigned long long)
QUIZ_EXTREMES(float)
QUIZ_EXTREMES(double)
#undef QUIZ_EXTREMES
#define QUIZ_MIXED(left, right, both)                                                     \
    static inline both min(left a, right b) { return min((both)a, (both)b); }             \
    static inline both max(left a, right b) { return max((both)a, (both)b); }             \
    static inline both min(right a, left b) { return min((both)a, (both)b); }             \
    static inline both max(right a, left b) { return max((both)a, (both)b); }
QUIZ_MIXED(int, unsigned int, unsigned int)
QUIZ_MIXED(long, int, long)
QUIZ_MIXED(long, unsigned int, long)
QUIZ_MIXED(unsigned long, int, unsigned long)
QUIZ_MIXED(unsigned long, unsigned int, unsigned long)
QUIZ_MIXED(unsigned long, long, unsigned long)
QUIZ_MIXED(long long, int, long long)
QUIZ_MIXED(unsigned long long, int, unsigned long long)
QUIZ_MIXED(float, double, double)
#undef QUIZ_MIXED

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
#define __expf expf  // glibc declares this name, too
#define __logf logf
#define __sinf sinf
#define __cosf cosf
#define __powf powf
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
static inline float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned int __umul24(unsigned int a, unsigned int b) { return a * b; }
#define __log2f log2f
#define __log10f log10f
#define __tanf tanf
#define __exp10f exp10f
static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
template <class To, class From> static inline To quiz_bits(From value) {
    To found;
    static_assert(sizeof found == sizeof value, "");
    memcpy(&found, &value, sizeof found);
    return found;
}
static inline float __int_as_float(int x) { return quiz_bits<float>(x); }
static inline float __uint_as_float(unsigned int x) { return quiz_bits<float>(x); }
static inline int __float_as_int(float x) { return quiz_bits<int>(x); }
static inline unsigned int __float_as_uint(float x) { return quiz_bits<unsigned int>(x); }
static inline double __longlong_as_double(long long x) { return quiz_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return quiz_bits<long long>(x); }
template <class T> static inline T __ldg(const T *place) { return *place; }
static inline void __syncthreads() {}
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __syncwarp(unsigned int = 0xffffffffu) {}
