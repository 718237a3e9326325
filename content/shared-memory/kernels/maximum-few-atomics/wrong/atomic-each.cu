extern "C" __global__ void largest(const int* __restrict__ keys, int* best, int rows, int n)
{
    const int* row = keys + (size_t)blockIdx.y * n;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicMax(&best[blockIdx.y], row[i]);
}
