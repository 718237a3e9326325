extern "C" __global__ void transpose(const float* __restrict__ image,
                                     float* out, int rows, int columns)
{
    extern __shared__ float tile[];  // 1,024 floats
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
}
