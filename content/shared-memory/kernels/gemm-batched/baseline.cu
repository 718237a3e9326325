extern "C" __global__ void batched(const float* __restrict__ a, const float* __restrict__ b,
                                   float* c, int batch, int n)
{
    int lane = threadIdx.x;
    int which = blockIdx.x * 8 + threadIdx.y;
    if (which >= batch)
        return;
    const float* a0 = a + (size_t)which * n * n;
    const float* b0 = b + (size_t)which * n * n;
    for (int e = lane; e < n * n; e += 32) {
        int row = e / n, column = e % n;
        float sum = 0.0f;
        for (int p = 0; p < n; p++)
            sum += a0[row * n + p] * b0[p * n + column];  // each element is loaded n times
        c[(size_t)which * n * n + e] = sum;
    }
}
