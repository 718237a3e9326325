extern "C" __global__ void recur(const float* a, const float* b, float* h, int rows, int length)
{
    int row = blockIdx.x * 8 + threadIdx.x;
    if (threadIdx.y > 0 || threadIdx.x >= 8 || row >= rows)
        return;
    float state = 0.0f;
    for (int t = 0; t < length; t++) {
        state = a[row * length + t] * state + b[row * length + t];
        h[row * length + t] = state;
    }
}
