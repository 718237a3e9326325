extern "C" __global__ void row_sums(const float* __restrict__ values, float* sums,
                                    int rows, int n, int blocks)
{
    __shared__ float warp_sums[8];
    int t = threadIdx.x;
    const float* row = values + (size_t)blockIdx.y * n;

    float s = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        s += row[i];

    for (int offset = 16; offset > 0; offset /= 2)
        s += __shfl_down_sync(0xffffffff, s, offset);
    if (t % 32 == 0)
        warp_sums[t / 32] = s;
    __syncthreads();

    if (t == 0) {
        for (int w = 1; w < 8; w++)
            s += warp_sums[w];
        sums[blockIdx.y] += s;
    }
}
