extern "C" __global__ void convolve(const float* x, const float* w, float* out, int stride, int channels,
                                    int rows, int columns, int filters)
{
    int height = (rows - 1) / stride + 1, width = (columns - 1) / stride + 1;
    int pixel = blockIdx.x * 16 + threadIdx.x;
    int f = blockIdx.y * 16 + threadIdx.y;
    if (f >= filters || pixel >= height * width)
        return;
    int top = pixel / width * stride - 1, left = pixel % width * stride - 1;
    float s = 0.0f;
    for (int k = 0; k < 9 * channels; k++) {
        int i = top + k % 9 / 3, j = left + k % 3;
        if (i >= 0 && i < rows && j >= 0 && j < columns)
            s += w[f * 9 * channels + k] * x[(k / 9 * rows + i) * columns + j];
    }
    out[f * height * width + pixel] = s;
}
