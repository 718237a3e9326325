extern "C" __global__ void dot(const float* __restrict__ a, const float* __restrict__ b,
                               float* partial, int n)
{
    __shared__ float sums[8];
    int t = threadIdx.x;
    int first = blockIdx.x * 2048;
    int end = first + 2048;

    float s = 0.0f;
    for (int i = first + t; i < end; i += 256)
        s += a[i] * b[i];

    for (int offset = 16; offset > 0; offset /= 2)
        s += __shfl_down_sync(0xffffffff, s, offset);
    if (t % 32 == 0)
        sums[t / 32] = s;
    __syncthreads();

    if (t < 32) {
        s = t < 8 ? sums[t] : 0.0f;
        for (int offset = 4; offset > 0; offset /= 2)
            s += __shfl_down_sync(0xffffffff, s, offset);
        if (t == 0)
            partial[blockIdx.x] = s;
    }
}
