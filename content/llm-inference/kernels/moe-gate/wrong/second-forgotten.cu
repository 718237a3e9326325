__device__ bool better(float v, int e, float w, int f)
{
    return v > w || (v == w && e < f);
}

extern "C" __global__ void gate(const float* logits, int* places, float* weights, int tokens, int experts)
{
    int lane = threadIdx.x, token = blockIdx.x * 4 + threadIdx.y;
    if (token >= tokens)
        return;
    float v1 = -INFINITY, v2 = -INFINITY;
    int e1 = 0, e2 = 0;
    for (int e = lane; e < experts; e += 32) {
        float v = logits[token * experts + e];
        if (v > v1) {
            v1 = v;
            e1 = e;
        } else if (v > v2) {
            v2 = v;
            e2 = e;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        float w1 = __shfl_xor_sync(0xFFFFFFFF, v1, step), w2 = __shfl_xor_sync(0xFFFFFFFF, v2, step);
        int f1 = __shfl_xor_sync(0xFFFFFFFF, e1, step), f2 = __shfl_xor_sync(0xFFFFFFFF, e2, step);
        if (better(w1, f1, v1, e1)) {
            bool keep = better(v1, e1, w2, f2);
            v2 = keep ? v1 : w2;
            e2 = keep ? e1 : f2;
            v1 = w1;
            e1 = f1;
        } else if (better(w1, f1, v2, e2)) {
            v2 = w1;
            e2 = f1;
        }
    }
    if (lane == 0) {
        float p = expf(v2 - v1);
        places[2 * token] = e1;
        places[2 * token + 1] = e2;
        weights[2 * token] = 1.0f / (1.0f + p);
        weights[2 * token + 1] = p / (1.0f + p);
    }
}
