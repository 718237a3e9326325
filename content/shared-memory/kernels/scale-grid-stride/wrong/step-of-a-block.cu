extern "C" __global__ void scale(float factor, const float* __restrict__ values,
                                 float* __restrict__ out, int n, int blocks)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    int step = blockDim.x;
    for (int i = start; i < n; i += step)
        out[i] = factor * values[i];
}
