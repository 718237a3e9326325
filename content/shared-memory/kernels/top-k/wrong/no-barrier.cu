extern "C" __global__ void top_k(const float* x, float* values, int* places,
                                 int rows, int columns)
{
    __shared__ float row[1024], best[8];
    __shared__ int where[8];
    const float lowest = -3.0e38f;
    int t = threadIdx.x, r = blockIdx.x;
    for (int c = t; c < columns; c += 256)
        row[c] = x[(size_t)r * columns + c];

    for (int k = 0; k < 8; k++) {
        // The best of this thread's elements; the first of equal ones.
        float v = lowest;
        int at = 1024;
        for (int c = t; c < columns; c += 256)
            if (row[c] > v) {
                v = row[c];
                at = c;
            }
        // Order by value, then by place: all lanes end up with the same pair.
        for (int step = 16; step > 0; step /= 2) {
            float other = __shfl_xor_sync(0xFFFFFFFF, v, step);
            int there = __shfl_xor_sync(0xFFFFFFFF, at, step);
            if (other > v || (other == v && there < at)) {
                v = other;
                at = there;
            }
        }
        if (t % 32 == 0) {
            best[t / 32] = v;
            where[t / 32] = at;
        }
        __syncthreads();
        for (int w = 0; w < 8; w++)
            if (best[w] > v || (best[w] == v && where[w] < at)) {
                v = best[w];
                at = where[w];
            }
        if (t == 0) {
            values[r * 8 + k] = v;
            places[r * 8 + k] = at;
        }
        if (t == at % 256)
            row[at] = lowest;  // taken: only its owner reads it again
    }
}
