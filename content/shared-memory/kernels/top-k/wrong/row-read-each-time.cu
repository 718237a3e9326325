extern "C" __global__ void top_k(const float* x, float* values, int* places,
                                 int rows, int columns)
{
    __shared__ float best[256];
    __shared__ int where[256];
    const float* row = x + (size_t)blockIdx.x * columns;
    int t = threadIdx.x, r = blockIdx.x;
    float last = 3.0e38f;  // the pair found before; only later ones count
    int before = -1;
    for (int k = 0; k < 8; k++) {
        float v = -3.0e38f;
        int at = columns;
        for (int c = t; c < columns; c += 256) {
            float e = row[c];
            if ((e < last || (e == last && c > before)) && e > v) {
                v = e;
                at = c;
            }
        }
        best[t] = v;
        where[t] = at;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) {
                float other = best[t + half];
                int there = where[t + half];
                if (other > best[t] || (other == best[t] && there < where[t])) {
                    best[t] = other;
                    where[t] = there;
                }
            }
            __syncthreads();
        }
        last = best[0];
        before = where[0];
        if (t == 0) {
            values[r * 8 + k] = last;
            places[r * 8 + k] = before;
        }
        __syncthreads();
    }
}
