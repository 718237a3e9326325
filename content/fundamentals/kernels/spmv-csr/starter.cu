extern "C" __global__ void spmv(const int* starts, const int* columns, const float* values,
                                const float* x, float* y, int rows, int n, int elements)
{
    int lane = threadIdx.x;
    int row = blockIdx.x * 8 + threadIdx.y;
    float s = 0.0f;
}
