extern "C" __global__ void gemv(const unsigned* w, const float* scales, const unsigned char* zeros,
                                const float* x, float* y, int rows, int groups)
{
    __shared__ float part[4096];
    int lane = threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
    for (int c = threadIdx.y * 32 + lane; c < 32 * groups; c += 256)
        part[c] = x[c];
    __syncthreads();
    if (r >= rows)
        return;
    float total = 0.0f;
    for (int at = lane; at < 4 * groups; at += 32) {
        unsigned word = w[r * 4 * groups + at];
        int g = r * groups + at / 8;
        float zero = zeros[g], inner = 0.0f;
        for (int i = 0; i < 8; i++) {
            int n = (i + lane / 4) % 8;
            float q = word >> (4 * n) & 15;
            inner += (q - zero) * part[8 * at + n];
        }
        total += scales[g] * inner;
    }
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(0xFFFFFFFF, total, step);
    if (lane == 0)
        y[r] = total;
}
