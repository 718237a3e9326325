#include <stdint.h>

// Four elements per thread: loads of 16 and 8 bytes, a store of 8; the last ones singly.
__device__ uint16_t rounded(uint32_t bits, uint16_t r)
{
    if (isnan(__uint_as_float(bits)))
        return 0x7FFF;
    return (uint16_t)((bits + r) >> 16);
}

extern "C" __global__ void round_stochastic(const uint32_t* x, const uint16_t* r, uint16_t* out, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        uint4 v = *(const uint4*)(x + i);
        ushort4 s = *(const ushort4*)(r + i);
        *(ushort4*)(out + i) = make_ushort4(rounded(v.x, s.x), rounded(v.y, s.y),
                                            rounded(v.z, s.z), rounded(v.w, s.w));
    } else {
        for (; i < n; i++)
            out[i] = rounded(x[i], r[i]);
    }
}
