extern "C" __global__ void pool(const float* x, float* out, int* where, int channels, int rows, int columns)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    int height = (rows + 1) / 2, width = (columns + 1) / 2;
    if (p >= height || q >= width)
        return;
    float best = 0.0f;
    int at = -1;
    for (int n = 0; n < 9; n++) {
        int i = 2 * p - 1 + n / 3, j = 2 * q - 1 + n % 3;
        if (i >= 0 && i < rows && j >= 0 && j < columns) {
            float v = x[(c * rows + i) * columns + j];
            if (at < 0 || v > best) {
                best = v;
                at = i * columns + j;
            }
        }
    }
    int to = (c * height + p) * width + q;
    out[to] = best;
    where[to] = at;
}
