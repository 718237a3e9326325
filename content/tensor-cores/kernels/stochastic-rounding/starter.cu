extern "C" __global__ void round_stochastic(const unsigned* __restrict__ x,
                                            const unsigned short* __restrict__ r,
                                            unsigned short* out, int n)
{
    int first = blockIdx.x * 1024 + threadIdx.x;
}
