#include <cuda_fp16.h>

extern "C" __global__ void gemv(const signed char* __restrict__ w, const float* __restrict__ scales,
                                const __half* __restrict__ x, float* y, int rows, int groups)
{
    int columns = groups * 64;
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;

    if (row >= rows)
        return;

    const signed char* weights = w + (size_t)row * columns;
    int each = columns / 32;  // adjacent lanes load this many bytes apart
    float sum = 0.0f;
    for (int c = lane * each; c < lane * each + each; c++)
        sum += weights[c] * __half2float(x[c]) * scales[(size_t)row * groups + c / 64];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}
