extern "C" __global__ void recur(const float* a, const float* b, float* h, int rows, int length)
{
    int lane = threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
}
