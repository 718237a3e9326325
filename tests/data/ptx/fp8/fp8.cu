// Conversions of FP8.
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
