// Two numbers of 16 bits in a word on the host: what `half2` and `__nv_bfloat162` have alike.
#pragma once

#include "cuda_runtime.h"

#define QUIZ_PAIR(NUMBER, PAIR, NAME, BOTH)                                                        \
    struct alignas(4) PAIR {                                                                       \
        NUMBER x, y;                                                                               \
        PAIR() = default;                                                                          \
        PAIR(NUMBER first, NUMBER second) : x(first), y(second) {}                                 \
    };                                                                                             \
    static inline PAIR make_##BOTH(NUMBER x, NUMBER y) { return {x, y}; }                          \
    static inline PAIR __halves2##BOTH(NUMBER x, NUMBER y) { return {x, y}; }                      \
    static inline PAIR __##NAME##2##BOTH(NUMBER x) { return {x, x}; }                              \
    static inline NUMBER __low2##NAME(PAIR v) { return v.x; }                                      \
    static inline NUMBER __high2##NAME(PAIR v) { return v.y; }                                     \
    static inline float __low2float(PAIR v) { return (float)v.x; }                                 \
    static inline float __high2float(PAIR v) { return (float)v.y; }                                \
    static inline PAIR __float2##BOTH##_rn(float x) { return {NUMBER(x), NUMBER(x)}; }             \
    static inline PAIR __floats2##BOTH##_rn(float x, float y) { return {NUMBER(x), NUMBER(y)}; }   \
    static inline PAIR __float22##BOTH##_rn(float2 v) { return {NUMBER(v.x), NUMBER(v.y)}; }       \
    static inline float2 __##BOTH##2float2(PAIR v) { return make_float2((float)v.x, (float)v.y); } \
    QUIZ_PAIR_OPERATOR(NUMBER, PAIR, +)                                                            \
    QUIZ_PAIR_OPERATOR(NUMBER, PAIR, -)                                                            \
    QUIZ_PAIR_OPERATOR(NUMBER, PAIR, *)                                                            \
    QUIZ_PAIR_OPERATOR(NUMBER, PAIR, /)

#define QUIZ_PAIR_OPERATOR(NUMBER, PAIR, OPERATOR)                                                 \
    static inline PAIR operator OPERATOR(PAIR a, PAIR b) {                                         \
        return {NUMBER((float)a.x OPERATOR(float) b.x), NUMBER((float)a.y OPERATOR(float) b.y)};   \
    }                                                                                              \
    static inline PAIR &operator OPERATOR##=(PAIR &a, PAIR b) { return a = a OPERATOR b; }
