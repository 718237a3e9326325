#include <cuda_fp16.h>

extern "C" __global__ void gemv(const signed char* __restrict__ w, const float* __restrict__ scales,
                                const __half* __restrict__ x, float* y, int rows, int groups)
{
    __shared__ float xs[4096];
    int columns = groups * 64;
    int lane = threadIdx.x, t = threadIdx.y * 32 + lane;
    int row = blockIdx.x * 8 + threadIdx.y;

    for (int c = t; c < columns; c += 256)
        xs[c] = __half2float(x[c]);
    __syncthreads();
    if (row >= rows)
        return;

    const signed char* weights = w + (size_t)row * columns;
    float sum = 0.0f;
    for (int g = 0; g < groups; g++) {
        int c = g * 64 + 2 * lane;
        float part = weights[c] * xs[c] + weights[c + 1] * xs[c + 1];
        sum += part * scales[(size_t)row * groups + g];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}
