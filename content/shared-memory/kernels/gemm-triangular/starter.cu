extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
}
