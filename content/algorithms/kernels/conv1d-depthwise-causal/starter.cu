constexpr int TAPS = 4;

extern "C" __global__ void conv(const float* x, const float* weight, const float* bias, float* y,
                                int batch, int channels, int time)
{
    int c = blockIdx.x, b = blockIdx.y;
}
