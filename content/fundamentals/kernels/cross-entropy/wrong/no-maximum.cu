#include <cuda_fp16.h>

extern "C" __global__ void cross_entropy(const __half* logits, const int* labels, float* loss,
                                         int rows, int classes)
{
    const unsigned all = 0xFFFFFFFF;
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows)
        return;
    const __half* mine = logits + (size_t)row * classes;

    float total = 0.0f;
    for (int c = lane; c < classes; c += 32)
        total += expf(__half2float(mine[c]));
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(all, total, step);
    if (lane == 0)
        loss[row] = logf(total) - __half2float(mine[labels[row]]);
}
