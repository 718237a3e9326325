// Complex numbers of CUDA on the host: the functions of `cuComplex.h`, in float and in double.
#pragma once

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// NAME: `f` behind the names of float's, nothing behind those of double's.
#define QUIZ_COMPLEX(TYPE, BASE, NAME, ABS, MAKE)                                                \
    static inline TYPE MAKE(BASE x, BASE y) { return {x, y}; }                                   \
    static inline BASE cuCreal##NAME(TYPE a) { return a.x; }                                     \
    static inline BASE cuCimag##NAME(TYPE a) { return a.y; }                                     \
    static inline TYPE cuConj##NAME(TYPE a) { return {a.x, -a.y}; }                              \
    static inline TYPE cuCadd##NAME(TYPE a, TYPE b) { return {a.x + b.x, a.y + b.y}; }           \
    static inline TYPE cuCsub##NAME(TYPE a, TYPE b) { return {a.x - b.x, a.y - b.y}; }           \
    static inline TYPE cuCmul##NAME(TYPE a, TYPE b) {                                            \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                   \
    }                                                                                            \
    static inline TYPE cuCdiv##NAME(TYPE a, TYPE b) {                                            \
        BASE s = (BASE)1 / (ABS(b.x) + ABS(b.y));  /* so that no square overflows */             \
        TYPE p = {a.x * s, a.y * s}, q = {b.x * s, b.y * s};                                     \
        BASE size = (BASE)1 / (q.x * q.x + q.y * q.y);                                           \
        return {(p.x * q.x + p.y * q.y) * size, (p.y * q.x - p.x * q.y) * size};                 \
    }                                                                                            \
    static inline BASE cuCabs##NAME(TYPE a) { return ::std::hypot(a.x, a.y); }                   \
    static inline TYPE cuCfma##NAME(TYPE a, TYPE b, TYPE c) {                                    \
        return cuCadd##NAME(cuCmul##NAME(a, b), c);                                              \
    }
QUIZ_COMPLEX(cuFloatComplex, float, f, fabsf, make_cuFloatComplex)
QUIZ_COMPLEX(cuDoubleComplex, double, , fabs, make_cuDoubleComplex)
#undef QUIZ_COMPLEX
static inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return {(float)a.x, (float)a.y};
}
