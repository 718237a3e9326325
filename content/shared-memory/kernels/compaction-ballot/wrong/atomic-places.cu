extern "C" __global__ void compact(const float* __restrict__ a, float* out, int* counts, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;

    float x = i < n ? a[i] : 0.0f;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (x > 0.0f) {
        int place = atomicAdd(&count, 1);
        out[(size_t)blockIdx.x * 256 + place] = x;
    }
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
}
