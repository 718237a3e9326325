extern "C" __global__ void reverse(float* a, int n, int blocks)
{
    int threads = gridDim.x * blockDim.x, each = (n / 2 + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < min(first + each, n / 2); i++) {
        int j = n - 1 - i;
        float v = a[i];
        a[i] = a[j];
        a[j] = v;
    }
}
