extern "C" __global__ void compact(const float* __restrict__ a, float* out, int* counts, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    float x = i < n ? a[i] : 0.0f;
}
