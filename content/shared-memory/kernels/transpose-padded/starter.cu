extern "C" __global__ void transpose(const float* __restrict__ image,
                                     float* out, int rows, int columns)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
}
