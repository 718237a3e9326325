#include <cuda_fp16.h>

extern "C" __global__ void attention(const __half* q, const __half* k, const __half* v,
                                     float scale, float* out, int queries, int keys)
{
    __shared__ __half ks[32][34], vs[32][32];
    const unsigned all = 0xFFFFFFFF;
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.x * 8 + warp;

    float mine = row < queries ? __half2float(q[row * 32 + lane]) * scale : 0.0f;
    float top = -3.0e38f, total = 0.0f, acc = 0.0f;
    for (int start = 0; start < keys; start += 32) {
        int count = min(32, keys - start);
        for (int i = warp; i < count; i += 8) {
            ks[i][lane] = k[(start + i) * 32 + lane];
            vs[i][lane] = v[(start + i) * 32 + lane];
        }
        __syncthreads();

        float score = 0.0f;
        for (int d = 0; d < 32; d++)
            score += __shfl_sync(all, mine, d) * (lane < count ? __half2float(ks[lane][d]) : 0.0f);

        float largest = fmaxf(top, score);
        for (int step = 16; step > 0; step /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(all, largest, step));
        float p = expf(score - largest), sum = p;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(all, sum, step);

        float fade = expf(top - largest);
        total = total * fade + sum;
        acc *= fade;
        top = largest;

        for (int j = 0; j < count; j++)
            acc += __shfl_sync(all, p, j) * __half2float(vs[j][lane]);
        __syncthreads();
    }
    if (row < queries)
        out[row * 32 + lane] = acc / total;
}
