#include <cuda_fp16.h>

extern "C" __global__ void attention(const __half* q, const __half* k, const __half* v,
                                     float scale, float* out, int queries, int keys)
{
    __shared__ __half ks[32][32], vs[32][32];
    const unsigned all = 0xFFFFFFFF;
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.x * 8 + warp;  // a warp per query

    float acc = 0.0f;
    for (int start = 0; start < keys; start += 32) {
    }
}
