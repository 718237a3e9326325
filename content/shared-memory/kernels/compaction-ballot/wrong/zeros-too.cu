extern "C" __global__ void compact(const float* __restrict__ a, float* out, int* counts, int n)
{
    __shared__ int kept[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;

    float x = i < n ? a[i] : 0.0f;
    unsigned votes = __ballot_sync(0xffffffff, x >= 0.0f);
    if (lane == 0)
        kept[warp] = __popc(votes);
    __syncthreads();

    int start = 0;
    for (int w = 0; w < warp; w++)
        start += kept[w];
    int place = start + __popc(votes & ((1u << lane) - 1));
    if (x >= 0.0f && i < n)
        out[(size_t)blockIdx.x * 256 + place] = x;
    if (t == 255)
        counts[blockIdx.x] = start + kept[7];
}
