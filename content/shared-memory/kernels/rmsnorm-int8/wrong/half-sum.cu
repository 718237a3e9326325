#include <cuda_fp16.h>

extern "C" __global__ void rmsnorm(const __half* x, const float* w, float eps,
                                   signed char* q, float* scale, int rows, int columns)
{
    __shared__ float row[2048], tops[256];
    __shared__ __half squares[256];
    int t = threadIdx.x, r = blockIdx.x;

    float total = 0.0f, top = 0.0f;
    for (int c = t; c < columns; c += 256) {
        float v = __half2float(x[(size_t)r * columns + c]);
        total += v * v;
        v *= w[c];
        top = fmaxf(top, fabsf(v));
        row[c] = v;
    }
    squares[t] = __float2half(total);
    tops[t] = top;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            squares[t] = __hadd(squares[t], squares[t + half]);
            tops[t] = fmaxf(tops[t], tops[t + half]);
        }
        __syncthreads();
    }

    top = tops[0];
    if (t == 0)
        scale[r] = top / sqrtf(__half2float(squares[0]) / columns + eps) / 127.0f;
    float steps = 127.0f / top;
    for (int c = t; c < columns; c += 256)
        q[(size_t)r * columns + c] = (signed char)rintf(row[c] * steps);
}
