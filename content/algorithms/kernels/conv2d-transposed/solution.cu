extern "C" __global__ void spread(const float* __restrict__ x, const float* __restrict__ w, float* out,
                                  int stride, int padding, int channels, int filters, int rows,
                                  int columns, int taps)
{
    int height = (rows - 1) * stride + taps - 2 * padding;
    int width = (columns - 1) * stride + taps - 2 * padding;
    int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 8 + threadIdx.y, f = blockIdx.z;
    if (p >= height || q >= width)
        return;
    // Taps a with p = i * stride + a - padding for some i: every stride-th.
    float total = 0.0f;
    for (int a = (p + padding) % stride; a < taps; a += stride) {
        int i = (p + padding - a) / stride;
        if (i < 0 || i >= rows)
            continue;
        for (int b = (q + padding) % stride; b < taps; b += stride) {
            int j = (q + padding - b) / stride;
            if (j < 0 || j >= columns)
                continue;
            for (int c = 0; c < channels; c++) {
                float weight = w[((c * filters + f) * taps + a) * taps + b];
                total += x[(c * rows + i) * columns + j] * weight;
            }
        }
    }
    out[(f * height + p) * width + q] = total;
}
