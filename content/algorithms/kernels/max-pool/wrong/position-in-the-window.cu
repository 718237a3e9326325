extern "C" __global__ void pool(const float* x, float* out, int* where, int channels, int rows, int columns)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    int height = (rows + 1) / 2, width = (columns + 1) / 2;
    if (p >= height || q >= width)
        return;
    const float* image = x + c * rows * columns;
    // The window without what lies in the padding: at least one pixel is left.
    int top = max(2 * p - 1, 0), left = max(2 * q - 1, 0);
    int at = top * columns + left;
    float best = image[at];
    at = (top - 2 * p + 1) * 3 + left - 2 * q + 1;
    for (int i = top; i < min(2 * p + 2, rows); i++)
        for (int j = left; j < min(2 * q + 2, columns); j++) {
            float v = image[i * columns + j];
            if (v > best) {
                best = v;
                at = (i - 2 * p + 1) * 3 + j - 2 * q + 1;
            }
        }
    int to = (c * height + p) * width + q;
    out[to] = best;
    where[to] = at;
}
