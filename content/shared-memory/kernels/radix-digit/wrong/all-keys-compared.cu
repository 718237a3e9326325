extern "C" __global__ void sort_digit(const int* __restrict__ keys, int shift, int* out,
                                      int* counts, int n)
{
    __shared__ int digits[256];
    __shared__ int ordered[256];
    int t = threadIdx.x;
    int start = blockIdx.x * 256, count = min(256, n - start);
    bool valid = t < count;
    int key = valid ? keys[start + t] : 0;
    int digit = (key >> shift) & 15;
    digits[t] = digit;
    __syncthreads();

    int place = 0, same = 0;
    for (int i = 0; i < count; i++) {
        int other = digits[i];
        if (other < digit || (other == digit && i < t))
            place++;
        if (other == t)
            same++;
    }
    if (valid)
        ordered[place] = key;
    if (t < 16)
        counts[blockIdx.x * 16 + t] = same;
    __syncthreads();
    if (valid)
        out[start + t] = ordered[t];
}
