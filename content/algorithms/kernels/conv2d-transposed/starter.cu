extern "C" __global__ void spread(const float* x, const float* w, float* out, int stride, int padding,
                                  int channels, int filters, int rows, int columns, int taps)
{
    int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 8 + threadIdx.y, f = blockIdx.z;
}
