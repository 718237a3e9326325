extern "C" __global__ void block_sums(const float* __restrict__ values, float* sums, int n)
{
    __shared__ float part[256];
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

    part[t] = s;
    __syncthreads();
    if (t == 0) {
        for (int i = 1; i < 256; i++)
            s += part[i];
        sums[blockIdx.x] = s;
    }
}
