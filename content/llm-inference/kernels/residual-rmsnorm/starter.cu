extern "C" __global__ void add_rmsnorm(const float* x, float* residual, const float* weight, float eps,
                                       float* out, int rows, int columns)
{
    int r = blockIdx.x, t = threadIdx.x;
}
