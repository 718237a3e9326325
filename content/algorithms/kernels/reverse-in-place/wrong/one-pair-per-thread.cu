extern "C" __global__ void reverse(float* a, int n, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        int j = n - 1 - i;
        float v = a[i];
        a[i] = a[j];
        a[j] = v;
    }
}
