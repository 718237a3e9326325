extern "C" __global__ void block_sums(const float* __restrict__ values, float* sums, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    part[t] = i < n ? values[i] : 0.0f;
    __syncthreads();

    for (int step = 1; step < 256; step *= 2) {
        int at = 2 * step * t;
        if (at < 256)
            part[at] += part[at + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
