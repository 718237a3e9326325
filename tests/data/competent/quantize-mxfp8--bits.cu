// A number per lane. Codes from the bits: the float unit rounds subnormal ones, at 2^14.
__device__ unsigned char to_e4m3(float v)
{
    unsigned sign = __float_as_uint(v) >> 24 & 0x80;
    float size = fminf(fabsf(v), 448.0f);
    if (size < 0.015625f)
        return sign | (__float_as_uint(size + 16384.0f) - __float_as_uint(16384.0f));
    unsigned bits = __float_as_uint(size), kept = bits >> 20, rest = bits & 0xFFFFF;
    if (rest > 0x80000 || (rest == 0x80000 && kept % 2))
        kept++;
    return sign | (kept - 960);
}

extern "C" __global__ void quantize(const float* x, unsigned char* codes, unsigned char* scales,
                                    int groups)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int g = blockIdx.x * 64 + warp; g < min(groups, (int)(blockIdx.x + 1) * 64); g += 8) {
        float v = x[32 * g + lane];
        unsigned size = __reduce_max_sync(0xFFFFFFFF, __float_as_uint(v) & 0x7FFFFFFF);
        int scale = (int)(size >> 23) < 8 ? 0 : (size >> 23) - 8;
        codes[32 * g + lane] = to_e4m3(ldexpf(v, 127 - scale));
        if (lane == 0)
            scales[g] = scale;
    }
}
