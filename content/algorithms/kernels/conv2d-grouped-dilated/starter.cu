extern "C" __global__ void convolve(const float* x, const float* w, float* out, int dilation, int groups,
                                    int depth, int width, int rows, int columns)
{
    int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 8 + threadIdx.y, f = blockIdx.z;
}
