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

    float s = 0.0f;
    for (int c = t; c < columns; c += 128)
        s += x[row + c];
    float mean = block_sum(s, part) / columns;

    s = 0.0f;
    for (int c = t; c < columns; c += 128) {
        float d = x[row + c] - mean;
        s += d * d;
    }
    float scale = rsqrtf(block_sum(s, part) / columns + eps);

    for (int c = t; c < columns; c += 128)
        out[row + c] = (x[row + c] - mean) * scale * weight[c] + bias[c];
}
