extern "C" __global__ void append(const float* __restrict__ x, int* tail, int* queue, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool keep = i < n && x[i] > 0.0f;
}
