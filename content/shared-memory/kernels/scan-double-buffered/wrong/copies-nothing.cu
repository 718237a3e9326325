extern "C" __global__ void scan(const float* __restrict__ a, float* out, int n)
{
    __shared__ float s[2][256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    s[0][t] = i < n ? a[i] : 0.0f;
    __syncthreads();

    int from = 0;
    for (int d = 1; d < 256; d *= 2) {
        if (t >= d)
            s[1 - from][t] = s[from][t] + s[from][t - d];
        __syncthreads();
        from = 1 - from;
    }
    if (i < n)
        out[i] = s[from][t];
}
