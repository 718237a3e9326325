extern "C" __global__ void scan(const float* __restrict__ a, float* out, int n)
{
    __shared__ float totals[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;
    float x = i < n ? a[i] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
        float below = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d)
            x += below;
    }
    if (lane == 31)
        totals[warp] = x;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        x += totals[w];
    if (i < n)
        out[i] = x;
}
