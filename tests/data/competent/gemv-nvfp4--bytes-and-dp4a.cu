#include <cuda_fp8.h>

// Four codes in the low 16 bits of a word as signed bytes, twice their values.
__device__ int bytes(unsigned codes)
{
    unsigned size = __byte_perm(0x03020100, 0x0C080604, codes & 0x7777);
    unsigned spread = (codes & 0xF) | (codes & 0xF0) << 4 | (codes & 0xF00) << 8 | (codes & 0xF000) << 12;
    unsigned minus = (spread >> 3 & 0x01010101) * 0xFF;
    return __vsub4(size ^ minus, minus);
}

__device__ float scale_of(unsigned char code)
{
    __nv_fp8_e4m3 scale;
    scale.__x = code;
    return float(scale);
}

extern "C" __global__ void gemv(const unsigned* w, const unsigned char* w_scales, const unsigned* x,
                                const unsigned char* x_scales, float* y, int rows, int groups)
{
    __shared__ int low[512], high[512];
    __shared__ float scales[256];
    int lane = threadIdx.x, t = threadIdx.y * 32 + lane;
    for (int at = t; at < 2 * groups; at += 256) {
        low[at] = bytes(x[at] & 0xFFFF);
        high[at] = bytes(x[at] >> 16);
        if (at % 2 == 0)
            scales[at / 2] = scale_of(x_scales[at / 2]);
    }
    __syncthreads();
    int r = blockIdx.x * 8 + threadIdx.y;
    float sum = 0.0f;
    for (int at = lane; r < rows && at < 2 * groups; at += 32) {
        unsigned word = w[r * 2 * groups + at];
        int part = __dp4a(bytes(word >> 16), high[at], __dp4a(bytes(word & 0xFFFF), low[at], 0));
        sum += part * scale_of(w_scales[r * groups + at / 2]) * scales[at / 2];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, step);
    if (lane == 0 && r < rows)
        y[r] = sum / 4;
}
