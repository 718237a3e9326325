extern "C" __global__ void sum_inner(const float* __restrict__ x, float* out, int outer, int reduced,
                                     int inner)
{
    // A warp per output: lanes along the dimension that is summed, as for the sum of a row.
    int tx = threadIdx.x, o = blockIdx.y;
    const float* from = x + (size_t)o * reduced * inner;
    int first = blockIdx.x * 32 + threadIdx.y * 4;
    for (int i = first; i < min(first + 4, inner); i++) {
        float total = 0.0f;
        for (int r = tx; r < reduced; r += 32)
            total += from[(size_t)r * inner + i];
        for (int step = 16; step > 0; step /= 2)
            total += __shfl_down_sync(0xFFFFFFFF, total, step);
        if (tx == 0)
            out[(size_t)o * inner + i] = total;
    }
}
