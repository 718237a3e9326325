extern "C" __global__ void convolve(const float* x, const float* w, float* out, int stride, int channels,
                                    int rows, int columns, int filters)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int height = (rows - 1) / stride + 1, width = (columns - 1) / stride + 1;
    int pixel = blockIdx.x * 16 + tx;
    int f = blockIdx.y * 16 + ty;
}
