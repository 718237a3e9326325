extern "C" __global__ void split(const int* __restrict__ keys, int* out, int bit, int n)
{
    __shared__ int sorted[256], ones[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int start = blockIdx.x * 256;
    int count = min(256, n - start);

    int key = t < count ? keys[start + t] : 0;
    bool one = (key >> bit) & 1;
    unsigned votes = __ballot_sync(0xffffffff, one);
    if (lane == 0)
        ones[warp] = __popc(votes);
    __syncthreads();

    int before = __popc(votes & ((1u << lane) - 1));
    int total = 0;
    for (int w = 0; w < 8; w++) {
        if (w < warp)
            before += ones[w];
        total += ones[w];
    }

    if (t < count)
        sorted[one ? 256 - total + before : t - before] = key;
    __syncthreads();
    if (t < count)
        out[start + t] = sorted[t];
}
