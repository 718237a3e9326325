__device__ void warp_scan(float& v, int& begun, int lane)
{
    for (int step = 1; step < 32; step *= 2) {
        float before = __shfl_up_sync(0xFFFFFFFF, v, step);
        int there = __shfl_up_sync(0xFFFFFFFF, begun, step);
        if (lane >= step) {
            if (!begun)
                v += before;
            begun |= there;
        }
    }
}

extern "C" __global__ void scan(const float* a, const signed char* flags, float* out, int n)
{
    __shared__ float sums[8];
    __shared__ int starts[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;
    float v = i < n ? a[i] : 0.0f;
    int begun = i < n ? flags[i] : 0;

    warp_scan(v, begun, lane);
    if (lane == 31) {
        sums[warp] = v;
        starts[warp] = begun;
    }
    if (warp == 0) {  // the pairs of the 8 warps, in the same way
        float total = lane < 8 ? sums[lane] : 0.0f;
        int any = lane < 8 ? starts[lane] : 0;
        warp_scan(total, any, lane);
        if (lane < 8)
            sums[lane] = total;
    }
    __syncthreads();
    if (warp > 0 && !begun)
        v += sums[warp - 1];
    if (i < n)
        out[i] = v;
}
