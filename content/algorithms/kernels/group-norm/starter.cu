constexpr int THREADS = 256;

extern "C" __global__ void group_norm(const float* x, const float* weight, const float* bias, int groups,
                                      float eps, float* out, int batch, int size, int pixels)
{
    int g = blockIdx.x, b = blockIdx.y, t = threadIdx.x;
}
