// A warp per row: 32 steps at a time are scanned as pairs, and the last state is carried on.
extern "C" __global__ void recur(const float* a, const float* b, float* h, int rows, int length)
{
    int lane = threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows)
        return;  // the whole warp leaves, so the shuffles below are complete
    float carry = 0.0f;
    for (int first = 0; first < length; first += 32) {
        int t = first + lane, at = row * length + t;
        float factor = t < length ? a[at] : 0.0f;
        float value = t < length ? b[at] : 0.0f;
        for (int step = 1; step < 32; step *= 2) {
            float earlier = __shfl_up_sync(0xFFFFFFFF, factor, step);
            float added = __shfl_up_sync(0xFFFFFFFF, value, step);
            if (lane >= step) {
                factor *= earlier;
                value += factor * added;
            }
        }
        value += factor * carry;
        if (t < length)
            h[at] = value;
        carry = __shfl_sync(0xFFFFFFFF, value, 31);
    }
}
