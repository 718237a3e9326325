// The right-hand matrix, a column per output pixel, exists only tile by tile in shared memory.
extern "C" __global__ void convolve(const float* x, const float* w, float* out, int stride, int channels,
                                    int rows, int columns, int filters)
{
    __shared__ float a[16][16];  // filters, terms of the sum
    __shared__ float b[16][16];  // terms of the sum, pixels
    int tx = threadIdx.x, ty = threadIdx.y;
    int height = (rows - 1) / stride + 1, width = (columns - 1) / stride + 1;
    int terms = 9 * channels;
    int pixel = blockIdx.x * 16 + tx;
    int f = blockIdx.y * 16 + ty;
    // The upper left corner of this pixel's window; it may lie in the padding.
    int top = pixel / width * stride - 1, left = pixel % width * stride - 1;
    float s = 0.0f;
    for (int first = 0; first < terms; first += 16) {
        int k = first + tx;
        a[ty][tx] = f < filters && k < terms ? w[f * terms + k] : 0.0f;
        k = first + ty;
        int channel = k / 9, i = top + k % 9 / 3, j = left + k % 3;
        bool inside = i >= 0 && i < rows && j >= 0 && j < columns;
        bool used = k < terms && pixel < height * width;
        b[ty][tx] = inside && used ? x[(channel * rows + i) * columns + j] : 0.0f;
        __syncthreads();
        for (int t = 0; t < 16; t++)
            s += a[ty][t] * b[t][tx];
        __syncthreads();
    }
    if (f < filters && pixel < height * width)
        out[f * height * width + pixel] = s;
}
