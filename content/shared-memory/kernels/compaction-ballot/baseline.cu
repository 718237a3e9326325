extern "C" __global__ void compact(const float* __restrict__ a, float* out, int* counts, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    float x = i < n ? a[i] : 0.0f;

    // Inclusive scan of the flags in one buffer: two barriers per step.
    s[t] = x > 0.0f;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    if (x > 0.0f)
        out[(size_t)blockIdx.x * 256 + s[t] - 1] = x;
    if (t == 255)
        counts[blockIdx.x] = s[t];
}
