// Joins two parts: number of values, mean, and sum of squared deviations.
__device__ void merge(float& n, float& mean, float& m2, float more, float other, float other_m2)
{
    float total = n + more;
    if (total > 0.0f) {
        float d = other - mean, share = more / total;
        m2 += other_m2 + d * d * n * share;
        mean += d * share;
    }
    n = total;
}

extern "C" __global__ void statistics(const float* x, float* mean, float* var, int batch, int channels,
                                      int pixels)
{
    __shared__ float counts[8], means[8], squares[8];
    int t = threadIdx.x, c = blockIdx.x;
    int count = 0;
    float m = 0.0f, m2 = 0.0f;
    for (int i = t; i < batch * pixels; i += 256) {
        float v = x[(i / pixels * channels + c) * pixels + i % pixels];
        count++;
        float d = v - m;
        m += d / count;
        m2 += d * (v - m);
    }
    float n = count;
    for (int step = 16; step > 0; step /= 2) {
        float more = __shfl_down_sync(0xFFFFFFFF, n, step);
        float other = __shfl_down_sync(0xFFFFFFFF, m, step);
        float other_m2 = __shfl_down_sync(0xFFFFFFFF, m2, step);
        merge(n, m, m2, more, other, other_m2);
    }
    if (t % 32 == 0) {
        counts[t / 32] = n;
        means[t / 32] = m;
        squares[t / 32] = m2;
    }
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; w++)
            merge(n, m, m2, counts[w], means[w], squares[w]);
        mean[c] = m;
        var[c] = m2 / (n - 1.0f);
    }
}
