extern "C" __global__ void scan(const int* __restrict__ a, int* out, int* sums, int n)
{
    __shared__ int totals[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;

    int own = i < n ? a[i] : 0;
    int x = own;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, x, d);  // all lanes take part
        if (lane >= d)  // lower lanes get their own value back
            x += below;
    }
    if (lane == 31)
        totals[warp] = x;
    __syncthreads();

    if (warp == 0) {
        int y = totals[lane];
        for (int d = 1; d < 8; d *= 2) {
            int below = __shfl_up_sync(0xffffffff, y, d);
            if (lane >= d)
                y += below;
        }
        if (lane < 8)
            totals[lane] = y;
    }
    __syncthreads();
    if (warp > 0)
        x += totals[warp - 1];
    if (i < n)
        out[i] = x - own;  // inclusive minus own element is exclusive
    if (t == 255)
        sums[blockIdx.x] = x;
}
