#include <cuda_fp16.h>

extern "C" __global__ void scores_of(const __half* __restrict__ q, const __half* __restrict__ cache,
                                     const int* __restrict__ table, const int* __restrict__ lengths,
                                     float* scores, int seqs, int columns, int pages, int dim)
{
    int lane = threadIdx.x;
    int position = blockIdx.x * 8 + threadIdx.y;
    int seq = blockIdx.y;
    float s = 0.0f;
    if (position < lengths[seq]) {
        int page = table[seq * columns + position / 16];
        const __half* key = cache + ((size_t)page * 16 + position % 16) * dim;
        const __half* query = q + (size_t)seq * dim;
        for (int d = lane; d < dim; d += 32)
            s = __half2float(__float2half(s + __half2float(query[d]) * __half2float(key[d])));
        for (int offset = 16; offset > 0; offset /= 2)
            s += __shfl_down_sync(0xffffffff, s, offset);
    }
    if (lane == 0)
        scores[(size_t)seq * columns * 16 + position] = s;
}
