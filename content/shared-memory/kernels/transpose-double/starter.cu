extern "C" __global__ void transpose(const double* __restrict__ image,
                                     double* out, int rows, int columns)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
}
