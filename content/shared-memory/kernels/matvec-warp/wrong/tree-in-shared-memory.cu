extern "C" __global__ void matvec(const float* __restrict__ matrix, const float* __restrict__ x,
                                  float* y, int rows, int columns)
{
    __shared__ float part[8][32];
    int lane = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.x * 8 + ty;
    float s = 0.0f;
    if (r < rows)
        for (int c = lane; c < columns; c += 32)
            s += matrix[(size_t)r * columns + c] * x[c];
    part[ty][lane] = s;
    __syncthreads();
    for (int offset = 16; offset > 0; offset /= 2) {
        if (lane < offset)
            part[ty][lane] += part[ty][lane + offset];
        __syncthreads();
    }
    if (lane == 0 && r < rows)
        y[r] = part[ty][0];
}
