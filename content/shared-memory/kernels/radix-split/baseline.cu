extern "C" __global__ void split(const int* __restrict__ keys, int* out, int bit, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int start = blockIdx.x * 256, count = min(256, n - start);
    if (t < count)
        s[t] = keys[start + t];
    __syncthreads();
    if (t >= count)
        return;

    int key = s[t], one = (key >> bit) & 1;
    int place = 0;
    for (int i = 0; i < count; i++) {  // up to 256 shared loads per thread
        int other = (s[i] >> bit) & 1;
        if (other < one || (other == one && i < t))
            place++;
    }
    out[start + place] = key;
}
