#define SMALLEST (-2147483647 - 1)

extern "C" __global__ void largest(const int* __restrict__ keys, int* best, int rows, int n)
{
    __shared__ int tops[8];
    int t = threadIdx.x;
    const int* row = keys + (size_t)blockIdx.y * n;

    int top = SMALLEST;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        top = max(top, row[i]);

    top = __reduce_max_sync(0xffffffff, top);
    if (t % 32 == 0)
        tops[t / 32] = top;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; w++)
            top = max(top, tops[w]);
        best[blockIdx.y] = max(best[blockIdx.y], top);
    }
}
