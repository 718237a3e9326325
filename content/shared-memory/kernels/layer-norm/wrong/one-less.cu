__device__ float block_sum(float v, float* part)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = part[0] + part[1] + part[2] + part[3];
    __syncthreads();
    return sum;
}

extern "C" __global__ void layer_norm(const float* __restrict__ x, const float* __restrict__ weight,
                                      const float* __restrict__ bias, float eps, float* out,
                                      int rows, int columns)
{
    __shared__ float part[4];
    int t = threadIdx.x;
    size_t row = (size_t)blockIdx.x * columns;

    float v[8];
    float s = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int c = t + 128 * j;
        v[j] = c < columns ? x[row + c] : 0.0f;
        s += v[j];
    }
    float mean = block_sum(s, part) / columns;

    s = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        v[j] -= mean;
        if (t + 128 * j < columns)
            s += v[j] * v[j];
    }
    float scale = rsqrtf(block_sum(s, part) / (columns - 1) + eps);

#pragma unroll
    for (int j = 0; j < 8; j++) {
        int c = t + 128 * j;
        if (c < columns)
            out[row + c] = v[j] * scale * weight[c] + bias[c];
    }
}
