extern "C" __global__ void block_sums(const float* __restrict__ values, float* sums, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    if (i < n)
        part[t] = values[i];
    __syncthreads();

    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
