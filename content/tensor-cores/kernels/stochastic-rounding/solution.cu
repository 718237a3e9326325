extern "C" __global__ void round_stochastic(const unsigned* __restrict__ x,
                                            const unsigned short* __restrict__ r,
                                            unsigned short* out, int n)
{
    int first = blockIdx.x * 1024 + threadIdx.x;
    for (int step = 0; step < 4; step++) {
        int i = first + 256 * step;
        if (i >= n)
            return;
        unsigned bits = x[i];
        bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
        // A carry goes from the mantissa into the exponent, which is the next number.
        out[i] = is_nan ? 0x7FFF : (bits + r[i]) >> 16;
    }
}
