extern "C" __global__ void gemv(const unsigned* w, const unsigned char* w_scales, const unsigned* x,
                                const unsigned char* x_scales, float* y, int rows, int groups)
{
    int lane = threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
}
