#include <cuda_fp16.h>

extern "C" __global__ void cross_entropy(const __half* logits, const int* labels, float* loss,
                                         int rows, int classes)
{
    const unsigned all = 0xFFFFFFFF;
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;
}
