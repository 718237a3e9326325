__device__ float block_sum(float v, float* sums)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    return sums[0] + sums[1];
}

extern "C" __global__ void mse(const float* prediction, const float* target, float* parts, unsigned* arrived,
                               float* loss, int n)
{
    __shared__ float sums[2];
    __shared__ bool last;
    int t = threadIdx.x, b = blockIdx.x, blocks = gridDim.x;
    int end = min((b + 1) * 256, n);
    float s = 0.0f;
    for (int i = b * 256 + t; i < end; i += 64) {
        float d = prediction[i] - target[i];
        s += d * d;
    }
    s = block_sum(s, sums);
    if (t == 0) {
        parts[b] = s;
        // atomicInc wraps: the counter is 0 again after the last block.
        last = atomicInc(arrived, blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    // In the order of the blocks, whichever came last.
    s = 0.0f;
    for (int i = t; i < blocks; i += 64)
        s += __ldcg(&parts[i]);  // from L2, past a stale L1
    s = block_sum(s, sums);
    if (t == 0)
        loss[0] = s / n;
}
