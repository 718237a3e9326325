constexpr int TAPS = 4;

extern "C" __global__ void conv(const float* x, const float* weight, const float* bias, float* y,
                                int batch, int channels, int time)
{
    int c = blockIdx.x, b = blockIdx.y;
    float w[TAPS];
    for (int k = 0; k < TAPS; k++)
        w[k] = weight[c * TAPS + k];
    const float* in = x + (b * channels + c) * time;
    float* out = y + (b * channels + c) * time;
    int each = (time + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
    // The last three elements stay in registers, so each is loaded once.
    float v[TAPS];
    for (int k = 0; k < TAPS - 1; k++) {
        int i = first - (TAPS - 1) + k;
        v[k] = i >= 0 && first < time ? in[i] : 0.0f;
    }
    for (int t = first; t < min(first + each, time); t++) {
        v[TAPS - 1] = in[t];
        float s = bias[c];
        for (int k = 0; k < TAPS; k++)
            s += w[k] * v[k];
        out[t] = s;
        for (int k = 0; k < TAPS - 1; k++)
            v[k] = v[k + 1];
    }
}
