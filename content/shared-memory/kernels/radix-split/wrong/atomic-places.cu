extern "C" __global__ void split(const int* __restrict__ keys, int* out, int bit, int n)
{
    __shared__ int sorted[256], ones, next[2];
    int t = threadIdx.x;
    int start = blockIdx.x * 256;
    int count = min(256, n - start);
    if (t == 0)
        ones = 0;
    __syncthreads();

    int key = t < count ? keys[start + t] : 0;
    int one = (key >> bit) & 1;
    if (one)
        atomicAdd(&ones, 1);
    __syncthreads();
    if (t == 0) {
        next[0] = 0;
        next[1] = count - ones;
    }
    __syncthreads();

    if (t < count)
        sorted[atomicAdd(&next[one], 1)] = key;
    __syncthreads();
    if (t < count)
        out[start + t] = sorted[t];
}
