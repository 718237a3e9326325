extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns)
{
    __shared__ float part[256];
    const float* row = x + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;

    float top = -INFINITY;
    for (int c = t; c < columns; c += 256)
        top = fmaxf(top, row[c]);
    part[t] = top;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();

    float total = 0.0f;
    for (int c = t; c < columns; c += 256)
        total += expf(row[c] - top);
    part[t] = total;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }

    total = part[0];
    for (int c = t; c < columns; c += 256)
        out[(size_t)blockIdx.x * columns + c] = expf(row[c] - top) / total;
}
