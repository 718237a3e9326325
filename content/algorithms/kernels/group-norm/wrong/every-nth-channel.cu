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
    int t = threadIdx.x, g = blockIdx.x;
    int count = size * pixels;
    int image = blockIdx.y * groups * count;

    float s = 0.0f;
    for (int i = t; i < count; i += 256)
        s += x[image + (g + i / pixels * groups) * pixels + i % pixels];
    float mean = block_sum(s, part) / count;

    s = 0.0f;
    for (int i = t; i < count; i += 256) {
        float d = x[image + (g + i / pixels * groups) * pixels + i % pixels] - mean;
        s += d * d;
    }
    float scale = rsqrtf(block_sum(s, part) / count + eps);

    for (int i = t; i < count; i += 256) {
        int c = g + i / pixels * groups, at = image + c * pixels + i % pixels;
        out[at] = (x[at] - mean) * scale * weight[c] + bias[c];
    }
}
