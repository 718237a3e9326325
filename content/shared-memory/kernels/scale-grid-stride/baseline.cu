extern "C" __global__ void scale(float factor, const float* __restrict__ values,
                                 float* __restrict__ out, int n, int blocks)
{
    int threads = gridDim.x * blockDim.x;
    int part = (n + threads - 1) / threads;
    int start = (blockIdx.x * blockDim.x + threadIdx.x) * part;
    for (int i = start; i < min(start + part, n); i++)
        out[i] = factor * values[i];
}
