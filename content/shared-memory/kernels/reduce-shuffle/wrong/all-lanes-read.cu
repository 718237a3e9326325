__device__ float warp_sum(float s)
{
    for (int offset = 16; offset > 0; offset /= 2)
        s += __shfl_down_sync(0xffffffff, s, offset);
    return s;
}

extern "C" __global__ void block_sums(const float* __restrict__ values, float* sums, int n)
{
    __shared__ float part[32];
    int t = threadIdx.x;
    int first = blockIdx.x * 1024;

    float s = 0.0f;
    if (first + 1024 <= n) {
        float4 v = reinterpret_cast<const float4*>(values + first)[t];
        s = (v.x + v.y) + (v.z + v.w);
    } else {
        for (int i = first + t; i < n; i += 256)
            s += values[i];
    }

    s = warp_sum(s);
    if (t % 32 == 0)
        part[t / 32] = s;
    __syncthreads();
    if (t < 32) {
        s = warp_sum(part[t]);
        if (t == 0)
            sums[blockIdx.x] = s;
    }
}
