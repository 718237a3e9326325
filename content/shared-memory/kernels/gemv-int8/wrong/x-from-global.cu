#include <cuda_fp16.h>

extern "C" __global__ void gemv(const signed char* __restrict__ w, const float* __restrict__ scales,
                                const __half* __restrict__ x, float* y, int rows, int groups)
{
    int columns = groups * 64;
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;

    if (row >= rows)
        return;

    const char4* w4 = reinterpret_cast<const char4*>(w + (size_t)row * columns);
    float sum = 0.0f;
    for (int i = lane; i < columns / 4; i += 32) {
        char4 q = w4[i];
        const __half* v = x + 4 * i;
        float part = q.x * __half2float(v[0]) + q.y * __half2float(v[1])
                   + q.z * __half2float(v[2]) + q.w * __half2float(v[3]);
        sum += part * scales[(size_t)row * groups + i / 16];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}
