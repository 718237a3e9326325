extern "C" __global__ void append(const float* __restrict__ x, int* tail, int* queue, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f)
        queue[atomicAdd(tail, 1)] = 1;
}
