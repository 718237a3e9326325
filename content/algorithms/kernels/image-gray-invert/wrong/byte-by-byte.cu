extern "C" __global__ void recolor(const unsigned char* image, int mode, unsigned char* out,
                                   int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    int i = 4 * (y * columns + x);
    int r = image[i], g = image[i + 1], b = image[i + 2];
    if (mode == 0)
        r = g = b = (77 * r + 150 * g + 29 * b + 128) >> 8;
    else {
        r = 255 - r;
        g = 255 - g;
        b = 255 - b;
    }
    out[i] = r;
    out[i + 1] = g;
    out[i + 2] = b;
    out[i + 3] = image[i + 3];
}
