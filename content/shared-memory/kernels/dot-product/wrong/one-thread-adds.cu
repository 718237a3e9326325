extern "C" __global__ void dot(const float* __restrict__ a, const float* __restrict__ b,
                               float* partial, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    int first = blockIdx.x * 2048;
    int end = min(first + 2048, n);

    float s = 0.0f;
    for (int i = first + t; i < end; i += 256)
        s += a[i] * b[i];
    part[t] = s;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 256; k++)
            s += part[k];
        partial[blockIdx.x] = s;
    }
}
