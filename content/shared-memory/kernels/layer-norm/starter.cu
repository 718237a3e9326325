constexpr int THREADS = 128, LONGEST = 1024;

extern "C" __global__ void layer_norm(const float* x, const float* weight, const float* bias, float eps,
                                      float* out, int rows, int columns)
{
    __shared__ float row[LONGEST];
    int r = blockIdx.x, t = threadIdx.x;
}
