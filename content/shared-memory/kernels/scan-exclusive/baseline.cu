extern "C" __global__ void scan(const int* __restrict__ a, int* out, int* sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    int own = i < n ? a[i] : 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int x = s[t];
        if (t >= d)
            x += s[t - d];
        __syncthreads();
        s[t] = x;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t] - own;
    if (t == 255)
        sums[blockIdx.x] = s[t];
}
