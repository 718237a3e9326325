constexpr int ROWS = 8;

extern "C" __global__ void matvec(const float* matrix, const float* x, float* y, int rows, int columns)
{
    int lane = threadIdx.x;
    int row = blockIdx.x * ROWS + threadIdx.y;
}
