extern "C" __global__ void scan(const float* a, const signed char* flags, float* out, int n)
{
    __shared__ float sums[8];
    __shared__ int starts[8];
    const unsigned all = 0xFFFFFFFF;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;
    float v = i < n ? a[i] : 0.0f;
    int begun = i < n ? flags[i] : 0;

    // (v, begun): the sum since the last start, and whether there was a start at all. A pair
    // with a start ignores what is to its left; this merging is associative, so any scan does it.
    for (int step = 1; step < 32; step *= 2) {
        float before = __shfl_up_sync(all, v, step);
        int there = __shfl_up_sync(all, begun, step);
        if (lane >= step) {
            if (!begun)
                v += before;
            begun |= there;
        }
    }
    if (lane == 31) {
        sums[warp] = v;
        starts[warp] = begun;
    }
    __syncthreads();

    float carry = 0.0f;
    for (int w = 0; w < warp; w++)
        carry = starts[w] ? sums[w] : carry + sums[w];
    if (!begun)
        v += carry;
    if (i < n)
        out[i] = v;
}
