extern "C" __global__ void dot(const float* __restrict__ a, const float* __restrict__ b,
                               float* partial, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    int first = blockIdx.x * 2048;
    int end = min(first + 2048, n);

    part[t] = 0.0f;
    for (int i = first + t; i < end; i += 256)
        part[t] += a[i] * b[i];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = part[0];
}
