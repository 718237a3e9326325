extern "C" __global__ void statistics(const float* x, float* mean, float* var, int batch, int channels,
                                      int pixels)
{
    int t = threadIdx.x, c = blockIdx.x;
}
