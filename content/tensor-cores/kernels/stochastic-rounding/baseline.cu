extern "C" __global__ void round_stochastic(const unsigned* __restrict__ x,
                                            const unsigned short* __restrict__ r,
                                            unsigned short* out, int n)
{
    int first = blockIdx.x * 1024 + 4 * threadIdx.x;  // four neighbors, one after the other
    for (int i = first; i < first + 4 && i < n; i++) {
        unsigned bits = x[i];
        bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
        out[i] = is_nan ? 0x7FFF : (bits + r[i]) >> 16;
    }
}
