extern "C" __global__ void scan(const int* __restrict__ a, int* out, int* sums, int n)
{
    __shared__ int totals[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;

    int own = i < n ? a[i] : 0;
    int x = own;
    for (int d = 1; d < 32; d *= 2)
        x += __shfl_up_sync(0xffffffff, x, d);
    if (lane == 31)
        totals[warp] = x;
    __syncthreads();

    for (int w = 0; w < warp; w++)  // at most 7 broadcasts: not worth a second scan
        x += totals[w];
    if (i < n)
        out[i] = x - own;  // inclusive minus own element is exclusive
    if (t == 255)
        sums[blockIdx.x] = x;
}
