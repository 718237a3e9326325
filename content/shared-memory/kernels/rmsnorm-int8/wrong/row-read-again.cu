#include <cuda_fp16.h>

extern "C" __global__ void rmsnorm(const __half* x, const float* w, float eps,
                                   signed char* q, float* scale, int rows, int columns)
{
    __shared__ float part[256];
    int t = threadIdx.x, r = blockIdx.x;

    float total = 0.0f;
    for (int c = t; c < columns; c += 256) {
        float v = __half2float(x[(size_t)r * columns + c]);
        total += v * v;
    }
    part[t] = total;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    float rms = sqrtf(part[0] / columns + eps);
    __syncthreads();

    float top = 0.0f;
    for (int c = t; c < columns; c += 256)
        top = fmaxf(top, fabsf(__half2float(x[(size_t)r * columns + c]) / rms * w[c]));
    part[t] = top;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }

    float step = part[0] / 127.0f;
    if (t == 0)
        scale[r] = step;
    for (int c = t; c < columns; c += 256) {
        float y = __half2float(x[(size_t)r * columns + c]) / rms * w[c];
        q[(size_t)r * columns + c] = (signed char)rintf(y / step);
    }
}
