extern "C" __global__ void class_sums(const unsigned char* __restrict__ classes,
                                      const int* __restrict__ weights, int* sums,
                                      int n, int blocks)
{
    __shared__ int s[16][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int c = 0; c < 16; c++)
        s[c][lane] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        s[classes[i]][lane] += weights[i];
    __syncthreads();

    for (int c = warp; c < 16; c += 8) {
        int x = s[c][lane];
        x = __reduce_add_sync(0xffffffff, x);
        if (lane == 0)
            atomicAdd(&sums[c], x);
    }
}
