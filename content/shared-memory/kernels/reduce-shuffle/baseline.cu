extern "C" __global__ void block_sums(const float* __restrict__ values, float* sums, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    int first = blockIdx.x * 1024, end = min(first + 1024, n);
    float s = 0.0f;
    for (int i = first + t; i < end; i += 256)
        s += values[i];
    part[t] = s;
    __syncthreads();

    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();  // after every step, also where only one warp is left
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
