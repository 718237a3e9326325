#include <cuda_fp16.h>

extern "C" __global__ void gemv(const signed char* __restrict__ w, const float* __restrict__ scales,
                                const __half* __restrict__ x, float* y, int rows, int groups)
{
    __shared__ float4 xs[1024];  // up to 4,096 columns, once per block instead of once per row
    int columns = groups * 64;
    int lane = threadIdx.x, t = threadIdx.y * 32 + lane;
    int row = blockIdx.x * 8 + threadIdx.y;

    const __half2* x2 = reinterpret_cast<const __half2*>(x);
    for (int i = t; i < columns / 4; i += 256) {
        float2 low = __half22float2(x2[2 * i]), high = __half22float2(x2[2 * i + 1]);
        xs[i] = make_float4(low.x, low.y, high.x, high.y);
    }
    __syncthreads();  // before the return: every thread loads a part of x
    if (row >= rows)
        return;

    // Four weights per lane and load: a warp reads 128 consecutive bytes, which are two groups.
    const char4* w4 = reinterpret_cast<const char4*>(w + (size_t)row * columns);
    float sum = 0.0f;
    for (int i = lane; i < columns / 4; i += 32) {
        char4 q = w4[i];
        float4 v = xs[i];
        float part = q.x * v.x + q.y * v.y + q.z * v.z + q.w * v.w;
        sum += part * scales[(size_t)row * groups + i / 16];  // the scale once per four weights
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}
