extern "C" __global__ void row_sums(const float* values, float* sums, int rows, int n, int blocks)
{
    int t = threadIdx.x;
    const float* row = values + (size_t)blockIdx.y * n;
    float s = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        s += row[i];
}
