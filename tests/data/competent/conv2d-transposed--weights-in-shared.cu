// The weights of a filter and 32 channels at a time are in shared memory, for taps up to 8.
extern "C" __global__ void spread(const float* x, const float* w, float* out, int stride, int padding,
                                  int channels, int filters, int rows, int columns, int taps)
{
    __shared__ float part[32 * 64];
    int height = (rows - 1) * stride + taps - 2 * padding;
    int width = (columns - 1) * stride + taps - 2 * padding;
    int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 8 + threadIdx.y, f = blockIdx.z;
    int area = taps * taps, t = threadIdx.y * 32 + threadIdx.x;
    bool used = p < height && q < width;
    float sum = 0.0f;
    for (int first = 0; first < channels; first += 32) {
        int here = min(32, channels - first);
        __syncthreads();
        for (int k = t; k < here * area; k += 256)
            part[k] = w[((first + k / area) * filters + f) * area + k % area];
        __syncthreads();
        for (int c = 0; used && c < here; c++) {
            const float* image = x + (first + c) * rows * columns;
            for (int i = (p + padding) / stride; i >= 0 && p + padding - i * stride < taps; i--)
                for (int j = (q + padding) / stride; j >= 0 && q + padding - j * stride < taps; j--)
                    if (i < rows && j < columns)
                        sum += image[i * columns + j] *
                            part[c * area + (p + padding - i * stride) * taps + q + padding - j * stride];
        }
    }
    if (used)
        out[(f * height + p) * width + q] = sum;
}
