extern "C" __global__ void convolve(const float* __restrict__ x, const float* __restrict__ w, float* out,
                                    int dilation, int groups, int depth, int width, int rows,
                                    int columns)
{
    __shared__ float part[9 * 64];
    int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 8 + threadIdx.y, f = blockIdx.z;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 9 * depth; k += 256)
        part[k] = w[f * 9 * depth + k];
    __syncthreads();
    if (p >= rows || q >= columns)
        return;
    const float* from = x + f / width * depth * rows * columns;  // the channels of this filter's group
    float total = 0.0f;
    for (int c = 0; c < depth; c++)
        for (int a = 0; a < 3; a++) {
            int i = p + (a - 1) * dilation;
            for (int b = 0; b < 3; b++) {
                int j = q + (b - 1) * dilation;
                if (i >= 0 && i < rows && j >= 0 && j < columns)
                    total += from[(c * rows + i) * columns + j] * part[9 * c + 3 * a + b];
            }
        }
    out[(f * rows + p) * columns + q] = total;
}
