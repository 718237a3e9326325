extern "C" __global__ void top_k(const float* x, float* values, int* places,
                                 int rows, int columns)
{
    __shared__ float key[1024];
    __shared__ int at[1024];
    int t = threadIdx.x, r = blockIdx.x;
    for (int c = t; c < 1024; c += 256) {
        key[c] = c < columns ? x[(size_t)r * columns + c] : -3.0e38f;
        at[c] = c;
    }
    __syncthreads();
    for (int size = 2; size <= 1024; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            for (int i = t; i < 512; i += 256) {
                int c = 2 * i - (i & (d - 1)), p = c + d;
                float a = key[c], b = key[p];
                int j = at[c], k = at[p];
                bool before = a > b || (a == b && j < k);
                if (before != ((c & size) == 0)) {
                    key[c] = b;
                    key[p] = a;
                    at[c] = k;
                    at[p] = j;
                }
            }
            __syncthreads();
        }
    if (t < 8) {
        values[r * 8 + t] = key[t];
        places[r * 8 + t] = at[t];
    }
}
