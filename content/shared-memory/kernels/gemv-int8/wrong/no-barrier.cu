#include <cuda_fp16.h>

extern "C" __global__ void gemv(const signed char* __restrict__ w, const float* __restrict__ scales,
                                const __half* __restrict__ x, float* y, int rows, int groups)
{
    __shared__ alignas(16) float xs[4096];
    int columns = groups * 64;
    int lane = threadIdx.x, t = threadIdx.y * 32 + lane;
    int row = blockIdx.x * 8 + threadIdx.y;

    for (int c = t; c < columns; c += 256)
        xs[c] = __half2float(x[c]);
    if (row >= rows)
        return;

    const char4* w4 = reinterpret_cast<const char4*>(w + (size_t)row * columns);
    const float4* x4 = reinterpret_cast<const float4*>(xs);
    float sum = 0.0f;
    for (int i = lane; i < columns / 4; i += 32) {
        char4 q = w4[i];
        float4 v = x4[i];
        float part = q.x * v.x + q.y * v.y + q.z * v.z + q.w * v.w;
        sum += part * scales[(size_t)row * groups + i / 16];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}
