extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns)
{
    __shared__ float tops[256], sums[256], kept[8192];
    const float* row = x + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;

    // One pass: the largest element so far, and the sum of exp(element - top).
    // A finite start, since -inf - (-inf) is NaN in a thread that has no element.
    float top = -3.0e38f, total = 0.0f;
    for (int c = t; c < columns; c += 256) {
        float v = row[c];
        kept[c] = v;
        if (v > top) {
            total *= expf(top - v);  // what was summed so far refers to the old maximum
            top = v;
        }
        total += expf(v - top);
    }
    tops[t] = top;
    sums[t] = total;
    __syncthreads();

    // Merging two pairs is the same rescaling, so a tree can do it.
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            float a = tops[t], b = tops[t + half];
            top = fmaxf(a, b);
            sums[t] = sums[t] * expf(a - top) + sums[t + half] * expf(b - top);
            tops[t] = top;
        }
        __syncthreads();
    }

    top = tops[0];
    float scale = 1.0f / sums[0];
    for (int c = t; c < columns; c += 256)
        out[(size_t)blockIdx.x * columns + c] = expf(kept[c] - top) * scale;
}
