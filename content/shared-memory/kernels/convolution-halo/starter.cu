extern "C" __global__ void convolve(const float* __restrict__ image, const float* __restrict__ w,
                                    float* out, int rows, int columns)
{
    __shared__ float s[18][18];
    int tx = threadIdx.x, ty = threadIdx.y;
}
