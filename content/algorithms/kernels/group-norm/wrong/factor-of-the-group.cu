__device__ float block_sum(float v, float* part)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < 8; w++)
        sum += part[w];
    __syncthreads();  // part is written again by the next call
    return sum;
}

extern "C" __global__ void group_norm(const float* x, const float* weight, const float* bias, int groups,
                                      float eps, float* out, int batch, int size, int pixels)
{
    __shared__ float part[8];
    int t = threadIdx.x, first = blockIdx.x * size;  // the group's first channel
    int count = size * pixels;
    // A group's channels are adjacent, so its elements are one contiguous run.
    int start = (blockIdx.y * groups + blockIdx.x) * count;
    const float* in = x + start;

    float s = 0.0f;
    for (int i = t; i < count; i += 256)
        s += in[i];
    float mean = block_sum(s, part) / count;

    s = 0.0f;
    for (int i = t; i < count; i += 256) {
        float d = in[i] - mean;
        s += d * d;
    }
    float scale = rsqrtf(block_sum(s, part) / count + eps);

    for (int i = t; i < count; i += 256) {
        int c = first + i / pixels;
        out[start + i] = (in[i] - mean) * scale * weight[blockIdx.x] + bias[blockIdx.x];
    }
}
