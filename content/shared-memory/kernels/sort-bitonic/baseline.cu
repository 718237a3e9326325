extern "C" __global__ void sort(const int* __restrict__ a, int* out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    int start = blockIdx.x * 256;
    int count = min(256, n - start);
    for (int j = t; j < count; j += 128)
        s[j] = a[start + j];
    __syncthreads();
    for (int j = t; j < count; j += 128) {
        int x = s[j], place = 0;  // the number of elements that belong before x
        for (int i = 0; i < count; i++)
            if (s[i] < x || (s[i] == x && i < j))
                place++;
        out[start + place] = x;
    }
}
