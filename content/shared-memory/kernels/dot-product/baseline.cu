extern "C" __global__ void dot(const float* __restrict__ a, const float* __restrict__ b,
                               float* partial, int n)
{
    __shared__ float sums[8];
    int t = threadIdx.x;
    int first = blockIdx.x * 2048;
    int start = first + 8 * t;
    int end = min(start + 8, n);

    // Adjacent lanes are 8 elements apart: a sector each.
    float s = 0.0f;
    for (int i = start; i < end; i++)
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
