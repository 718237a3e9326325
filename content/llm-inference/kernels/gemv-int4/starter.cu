extern "C" __global__ void gemv(const unsigned* w, const float* scales, const unsigned char* zeros,
                                const float* x, float* y, int rows, int groups)
{
    int lane = threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
}
