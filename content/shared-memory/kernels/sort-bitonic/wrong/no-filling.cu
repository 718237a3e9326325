extern "C" __global__ void sort(const int* __restrict__ a, int* out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int start = blockIdx.x * 256;

    for (int j = t; j < 256; j += 128)
        if (start + j < n)
            s[j] = a[start + j];
    __syncthreads();

    for (int length = 2; length <= 256; length *= 2)
        for (int d = length / 2; d > 0; d /= 2) {
            // Insert a 0 above the low bits of t: i and i + d are a pair.
            int i = 2 * t - (t & (d - 1));
            int x = s[i], y = s[i + d];
            bool upward = (i & length) == 0;
            if ((x > y) == upward) {
                s[i] = y;
                s[i + d] = x;
            }
            __syncthreads();
        }

    for (int j = t; j < 256; j += 128)
        if (start + j < n)
            out[start + j] = s[j];
}
