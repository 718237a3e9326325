#include <cuda_fp16.h>

extern "C" __global__ void scores_of(const __half* __restrict__ q, const __half* __restrict__ cache,
                                     const int* __restrict__ table, const int* __restrict__ lengths,
                                     float* scores, int seqs, int columns, int pages, int dim)
{
    int lane = threadIdx.x;
    int position = blockIdx.x * 8 + threadIdx.y;
    int seq = blockIdx.y;
}
