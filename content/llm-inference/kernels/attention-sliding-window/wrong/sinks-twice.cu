extern "C" __global__ void attention(const float* q, const float* k, const float* v, float scale, float slope,
                                     int window, int sinks, float* out, int n, int dim)
{
    int lane = threadIdx.x, i = blockIdx.x * 4 + threadIdx.y;
    if (i >= n)
        return;
    bool low = lane < dim, high = lane + 32 < dim;

    int row = i * dim + lane;
    float q0 = low ? q[row] * scale : 0.0f, q1 = high ? q[row + 32] * scale : 0.0f;
    float top = -INFINITY, total = 0.0f, acc0 = 0.0f, acc1 = 0.0f;
    int first = max(i - window + 1, 0), kept = min(sinks, i + 1);
    for (int t = 0; t < kept + i - first + 1; t++) {
        int j = t < kept ? t : first + t - kept;
        int at = j * dim + lane;
        float score = low ? q0 * k[at] : 0.0f;
        if (high)
            score += q1 * k[at + 32];
        for (int step = 16; step > 0; step /= 2)
            score += __shfl_xor_sync(0xFFFFFFFF, score, step);
        score -= slope * (i - j);

        float largest = fmaxf(top, score);
        float fade = expf(top - largest), p = expf(score - largest);
        top = largest;
        total = total * fade + p;
        if (low)
            acc0 = acc0 * fade + p * v[at];
        if (high)
            acc1 = acc1 * fade + p * v[at + 32];
    }
    if (low)
        out[row] = acc0 / total;
    if (high)
        out[row + 32] = acc1 / total;
}
