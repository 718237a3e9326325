extern "C" __global__ void sum_inner(const float* __restrict__ x, float* out, int outer, int reduced,
                                     int inner)
{
    __shared__ float parts[8][32];
    int tx = threadIdx.x, ty = threadIdx.y, o = blockIdx.y;
    int i = blockIdx.x * 32 + tx;
    const float* from = x + (size_t)o * reduced * inner;
    float total = 0.0f;
    if (i < inner)
        for (int r = ty; r < reduced; r += 8)
            total += from[(size_t)r * inner + i];
    parts[ty][tx] = total;
    __syncthreads();
    if (ty == 0 && i < inner) {
        for (int other = 1; other < 8; other++)
            total += parts[other][tx];
        out[(size_t)o * inner + i] = total;
    }
}
