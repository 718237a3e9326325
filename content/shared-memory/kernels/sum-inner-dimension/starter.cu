extern "C" __global__ void sum_inner(const float* __restrict__ x, float* out, int outer, int reduced,
                                     int inner)
{
    int tx = threadIdx.x, ty = threadIdx.y;
}
