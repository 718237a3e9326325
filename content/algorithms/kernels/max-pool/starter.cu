extern "C" __global__ void pool(const float* x, float* out, int* where, int channels, int rows, int columns)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    int height = (rows + 1) / 2, width = (columns + 1) / 2;
    if (p >= height || q >= width)
        return;
}
