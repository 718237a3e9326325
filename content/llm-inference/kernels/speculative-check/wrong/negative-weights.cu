extern "C" __global__ void check(const float* p, const float* q, const int* tokens, const int* draws,
                                 float* mass, int* accepted, int* last, int rows, int drafts, int vocab)
{
    int lane = threadIdx.x, r = blockIdx.x * 4 + threadIdx.y;
    if (r >= rows)
        return;
    bool rejected = false;
    if (lane < drafts) {
        int at = r * drafts + lane, x = tokens[at];
        float u = draws[at + r] / 256.0f;
        rejected = u * q[at * vocab + x] >= p[(at + r) * vocab + x];
    }
    int n = __ffs(__ballot_sync(0xFFFFFFFF, rejected) | 1u << drafts) - 1;

    const float* more = p + (r * drafts + r + n) * vocab;
    const float* less = n < drafts ? q + (r * drafts + n) * vocab : nullptr;
    float total = 0.0f;
    for (int c = lane; c < vocab; c += 32)
        total += less ? more[c] - less[c] : more[c];
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(0xFFFFFFFF, total, step);
    float aim = draws[r * drafts + r + drafts] / 256.0f * total, before = 0.0f;
    for (int start = 0; start < vocab; start += 32) {
        int c = start + lane;
        float s = 0.0f;
        if (c < vocab)
            s = less ? more[c] - less[c] : more[c];
        for (int step = 1; step < 32; step *= 2) {
            float below = __shfl_up_sync(0xFFFFFFFF, s, step);
            if (lane >= step)
                s += below;
        }
        s += before;
        unsigned above = __ballot_sync(0xFFFFFFFF, s > aim);
        if (above) {
            if (lane == 0) {
                mass[r] = total;
                accepted[r] = n;
                last[r] = start + __ffs(above) - 1;
            }
            return;
        }
        before = __shfl_sync(0xFFFFFFFF, s, 31);
    }
}
