extern "C" __global__ void scan(const float* __restrict__ a, float* out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    s[t] = i < n ? a[i] : 0.0f;
    __syncthreads();

    for (int d = 1; d < 256; d *= 2) {
        if (t >= d)
            s[t] += s[t - d];
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}
