extern "C" __global__ void class_sums(const unsigned char* __restrict__ classes,
                                      const int* __restrict__ weights, int* sums,
                                      int n, int blocks)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&sums[classes[i]], weights[i]);
}
