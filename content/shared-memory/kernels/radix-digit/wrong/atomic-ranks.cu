extern "C" __global__ void sort_digit(const int* __restrict__ keys, int shift, int* out,
                                      int* counts, int n)
{
    __shared__ int totals[16];
    __shared__ int ordered[256];
    int t = threadIdx.x;
    int start = blockIdx.x * 256, count = min(256, n - start);
    if (t < 16)
        totals[t] = 0;
    __syncthreads();

    bool valid = t < count;
    int key = valid ? keys[start + t] : 0;
    int digit = (key >> shift) & 15;
    int rank = valid ? atomicAdd(&totals[digit], 1) : 0;
    __syncthreads();

    int first = 0;
    for (int d = 0; d < digit; d++)
        first += totals[d];
    if (valid)
        ordered[first + rank] = key;
    if (t < 16)
        counts[blockIdx.x * 16 + t] = totals[t];
    __syncthreads();
    if (valid)
        out[start + t] = ordered[t];
}
