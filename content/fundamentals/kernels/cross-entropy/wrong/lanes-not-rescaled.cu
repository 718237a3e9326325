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

    float top = -3.0e38f, total = 0.0f;
    for (int c = lane; c < classes; c += 32) {
        float v = __half2float(mine[c]);
        if (v > top) {
            total *= expf(top - v);
            top = v;
        }
        total += expf(v - top);
    }
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(all, top, step);
        float more = __shfl_xor_sync(all, total, step);
        total += more;
        top = fmaxf(top, other);
    }
    if (lane == 0)
        loss[row] = logf(total) + top - __half2float(mine[labels[row]]);
}
