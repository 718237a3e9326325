// CUDA's vector types and dim3, laid out and aligned as a device has them.
#pragma once

#define __align__(n) alignas(n)
#define __builtin_align__(n) alignas(n)

#define QUIZ_VECTORS(name, base, align2, align4)                                          \
    struct name##1 { base x; };                                                           \
    struct alignas(align2) name##2 { base x, y; };                                        \
    struct name##3 { base x, y, z; };                                                     \
    struct alignas(align4) name##4 { base x, y, z, w; };                                  \
    static inline name##1 make_##name##1(base x) { return {x}; }                          \
    static inline name##2 make_##name##2(base x, base y) { return {x, y}; }               \
    static inline name##3 make_##name##3(base x, base y, base z) { return {x, y, z}; }    \
    static inline name##4 make_##name##4(base x, base y, base z, base w) { return {x, y, z, w}; }
QUIZ_VECTORS(char, signed char, 2, 4)
QUIZ_VECTORS(uchar, unsigned char, 2, 4)
QUIZ_VECTORS(short, short, 4, 8)
QUIZ_VECTORS(ushort, unsigned short, 4, 8)
QUIZ_VECTORS(int, int, 8, 16)
QUIZ_VECTORS(uint, unsigned int, 8, 16)
QUIZ_VECTORS(long, long, 16, 16)
QUIZ_VECTORS(ulong, unsigned long, 16, 16)
QUIZ_VECTORS(longlong, long long, 16, 16)
QUIZ_VECTORS(ulonglong, unsigned long long, 16, 16)
QUIZ_VECTORS(float, float, 8, 16)
QUIZ_VECTORS(double, double, 16, 16)
#undef QUIZ_VECTORS

#define QUIZ_ALIGNED(name, base, bytes)                  \
    struct alignas(bytes) name { base x, y, z, w; };     \
    static inline name make_##name(base x, base y, base z, base w) { return {x, y, z, w}; }
#define QUIZ_BOTH(name, base)             \
    QUIZ_ALIGNED(name##4_16a, base, 16) \
    QUIZ_ALIGNED(name##4_32a, base, 32)
QUIZ_BOTH(long, long)
QUIZ_BOTH(ulong, unsigned long)
QUIZ_BOTH(longlong, long long)
QUIZ_BOTH(ulonglong, unsigned long long)
QUIZ_BOTH(double, double)
#undef QUIZ_BOTH
#undef QUIZ_ALIGNED

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
