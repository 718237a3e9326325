extern "C" __global__ void class_sums(const unsigned char* __restrict__ classes,
                                      const int* __restrict__ weights, int* sums,
                                      int n, int blocks)
{
    __shared__ int s[16];
    int t = threadIdx.x;
    if (t < 16)
        s[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[classes[i]], weights[i]);
    __syncthreads();
    if (t < 16)
        atomicAdd(&sums[t], s[t]);
}
