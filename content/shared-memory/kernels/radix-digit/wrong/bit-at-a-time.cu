extern "C" __global__ void sort_digit(const int* __restrict__ keys, int shift, int* out,
                                      int* counts, int n)
{
    __shared__ int s[256], ones[8], first[17];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int start = blockIdx.x * 256, count = min(256, n - start);
    int key = t < count ? keys[start + t] : 0;

    for (int b = 0; b < 4; b++) {
        bool one = (key >> (shift + b)) & 1;
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
            s[one ? count - total + before : t - before] = key;
        __syncthreads();
        key = t < count ? s[t] : 0;
    }

    if (t <= 16)
        first[t] = count;
    __syncthreads();
    if (t < count) {
        out[start + t] = key;
        int digit = (key >> shift) & 15;
        int before = t > 0 ? (s[t - 1] >> shift) & 15 : -1;
        for (int d = before + 1; d <= digit; d++)
            first[d] = t;
    }
    __syncthreads();
    if (t < 16)
        counts[blockIdx.x * 16 + t] = first[t + 1] - first[t];
}
