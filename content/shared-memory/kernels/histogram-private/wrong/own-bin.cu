extern "C" __global__ void histogram(const unsigned char* __restrict__ data, int* bins, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * 4096;
    int count = 0;
    for (int i = start; i < min(start + 4096, n); i++)
        if (data[i] == t)
            count++;
    atomicAdd(&bins[t], count);
}
