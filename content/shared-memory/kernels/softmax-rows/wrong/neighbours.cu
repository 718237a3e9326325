#define ALL 0xffffffff

// Both reductions leave their result in every lane.
__device__ float warp_max(float v)
{
    for (int mask = 16; mask > 0; mask /= 2)
        v = fmaxf(v, __shfl_xor_sync(ALL, v, mask));
    return v;
}
__device__ float warp_sum(float v)
{
    for (int mask = 16; mask > 0; mask /= 2)
        v += __shfl_xor_sync(ALL, v, mask);
    return v;
}

extern "C" __global__ void softmax(const float* __restrict__ x, float* out, int rows, int columns)
{
    __shared__ float tops[8], sums[8];  // two arrays: no barrier before the second reduction
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    size_t row = (size_t)blockIdx.x * columns;

    // At most 1,024 elements in 256 threads: 4 per thread, kept in registers.
    float v[4];
    float top = -INFINITY;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int c = 4 * t + j;
        v[j] = c < columns ? x[row + c] : -INFINITY;  // exp(−∞) = 0: adds nothing
        top = fmaxf(top, v[j]);
    }
    top = warp_max(top);
    if (lane == 0)
        tops[warp] = top;
    __syncthreads();
    top = warp_max(tops[lane % 8]);

    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; j++)
        sum += v[j] = expf(v[j] - top);
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    sum = warp_sum(lane < 8 ? sums[lane] : 0.0f);

#pragma unroll
    for (int j = 0; j < 4; j++)
        if (4 * t + j < columns)
            out[row + 4 * t + j] = v[j] / sum;
}
