// Conversions of FP8, and mma of it.
#include <cstdint>
#define NARROW(NAME, FORM)                                                                            \
    extern "C" __global__ void NAME(const float *in, unsigned short *out, int n) {                    \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                \
        if (i < n) asm volatile("cvt.rn.satfinite" FORM ".f32 %0, %1, %2;" : "=h"(out[i]) : "f"(in[2 * i]), "f"(in[2 * i + 1])); \
    }
#define HALVES(NAME, FORM)                                                                            \
    extern "C" __global__ void NAME(const uint32_t *in, unsigned short *out, int n) {                 \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                \
        if (i < n) asm volatile("cvt.rn.satfinite" FORM ".f16x2 %0, %1;" : "=h"(out[i]) : "r"(in[i])); \
    }
#define WIDE(NAME, FORM)                                                                              \
    extern "C" __global__ void NAME(const unsigned short *in, uint32_t *out, int n) {                 \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                \
        if (i < n) asm volatile("cvt.rn" FORM " %0, %1;" : "=r"(out[i]) : "h"(in[i]));                \
    }
NARROW(narrow_e4m3, ".e4m3x2") NARROW(narrow_e5m2, ".e5m2x2") NARROW(narrow_e4m3_relu, ".relu.e4m3x2")
HALVES(halves_e4m3, ".e4m3x2") HALVES(halves_e5m2, ".e5m2x2") HALVES(halves_e5m2_relu, ".relu.e5m2x2")
WIDE(wide_e4m3, ".f16x2.e4m3x2") WIDE(wide_e5m2, ".f16x2.e5m2x2") WIDE(wide_e4m3_relu, ".relu.f16x2.e4m3x2")
#define MMA(NAME, FORM)                                                                               \
    extern "C" __global__ void NAME(const uint32_t *a, const uint32_t *b, const float *c, float *d) { \
        int t = threadIdx.x;                                                                          \
        float r[4] = {c[4 * t], c[4 * t + 1], c[4 * t + 2], c[4 * t + 3]};                            \
        asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." FORM ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                     : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3]) : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]), "r"(b[2 * t]), "r"(b[2 * t + 1])); \
        for (int i = 0; i < 4; i++) d[4 * t + i] = r[i];                                              \
    }
MMA(mma_e4m3, "e4m3.e4m3") MMA(mma_e5m2_e4m3, "e5m2.e4m3")
