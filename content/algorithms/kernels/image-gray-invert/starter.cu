extern "C" __global__ void recolor(const unsigned char* image, int mode, unsigned char* out,
                                   int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
}
