extern "C" __global__ void row_sums(const float* __restrict__ values, float* sums,
                                    int rows, int n, int blocks)
{
    const float* row = values + (size_t)blockIdx.y * n;
    float s = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += row[i];
    atomicAdd(&sums[blockIdx.y], s);
}
