extern "C" __global__ void reverse(float* a, int n, int blocks)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
        int j = n - 1 - i;
        a[i] = a[j];
        a[j] = a[i];
    }
}
