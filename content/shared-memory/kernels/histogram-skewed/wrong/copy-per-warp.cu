extern "C" __global__ void class_sums(const unsigned char* __restrict__ classes,
                                      const int* __restrict__ weights, int* sums,
                                      int n, int blocks)
{
    __shared__ int s[8][16];
    int t = threadIdx.x, warp = t / 32;
    if (t < 128)
        s[t / 16][t % 16] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[warp][classes[i]], weights[i]);
    __syncthreads();

    if (t < 16) {
        int x = 0;
        for (int w = 0; w < 8; w++)
            x += s[w][t];
        atomicAdd(&sums[t], x);
    }
}
