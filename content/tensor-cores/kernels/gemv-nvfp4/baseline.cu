__device__ float twice(unsigned word, int n)
{
    unsigned code = word >> 4 * n;
    float size = 0xC8643210 >> 4 * (code & 7) & 15;
    return code & 8 ? -size : size;
}

__device__ float e4m3(unsigned char code)
{
    return __int_as_float(code << 20) * 0x1p120f;
}

extern "C" __global__ void gemv(const unsigned* __restrict__ w,
                                const unsigned char* __restrict__ w_scales,
                                const unsigned* __restrict__ x,
                                const unsigned char* __restrict__ x_scales, float* y, int rows,
                                int groups)
{
    // Every row decodes the vector again.
    int lane = threadIdx.x, r = blockIdx.x * 8 + threadIdx.y, words = 2 * groups;
    if (r >= rows)
        return;
    float total = 0.0f;
    for (int at = lane; at < words; at += 32) {
        unsigned word = w[(size_t)r * words + at], other = x[at];
        float inner = 0.0f;
        for (int n = 0; n < 8; n++)
            inner += twice(word, n) * twice(other, n);
        total += e4m3(w_scales[(size_t)r * groups + at / 2]) * e4m3(x_scales[at / 2]) * inner;
    }
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(0xFFFFFFFF, total, step);
    if (lane == 0)
        y[r] = total * 0.25f;
}
