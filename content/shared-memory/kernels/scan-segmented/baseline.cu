extern "C" __global__ void scan(const float* a, const signed char* flags, float* out, int n)
{
    __shared__ float sums[256];
    __shared__ int starts[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    float v = i < n ? a[i] : 0.0f;
    int begun = i < n ? flags[i] : 0;
    sums[t] = v;
    starts[t] = begun;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        float before = 0.0f;
        int there = 0;
        if (t >= step) {
            before = sums[t - step];
            there = starts[t - step];
        }
        __syncthreads();
        if (t >= step) {
            if (!begun)
                v += before;
            begun |= there;
            sums[t] = v;
            starts[t] = begun;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = v;
}
