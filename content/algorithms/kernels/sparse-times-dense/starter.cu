extern "C" __global__ void spmm(const int* starts, const int* columns, const float* values, const float* b,
                                float* c, int rows, int n, int elements, int width)
{
    int j = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
}
