extern "C" __global__ void compact(const float* __restrict__ a, float* out, int* counts, int n)
{
    __shared__ int kept;
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * 256 + t;

    float x = i < n ? a[i] : 0.0f;
    unsigned votes = __ballot_sync(0xffffffff, x > 0.0f);
    if (t == 0)
        kept = 0;
    __syncthreads();

    int start = 0;
    if (lane == 0)
        start = atomicAdd(&kept, __popc(votes));
    start = __shfl_sync(0xffffffff, start, 0);
    __syncthreads();
    int place = start + __popc(votes & ((1u << lane) - 1));
    if (x > 0.0f)
        out[(size_t)blockIdx.x * 256 + place] = x;
    if (t == 255)
        counts[blockIdx.x] = kept;
}
