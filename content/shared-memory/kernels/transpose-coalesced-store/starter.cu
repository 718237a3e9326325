extern "C" __global__ void transpose(const float* __restrict__ image,
                                     float* out, int rows, int columns)
{
    int tx = threadIdx.x, ty = threadIdx.y;
}
