extern "C" __global__ void add_rmsnorm(const float* x, float* residual, const float* weight, float eps,
                                       float* out, int rows, int columns)
{
    __shared__ float row[2048], part[8];
    int r = blockIdx.x, t = threadIdx.x;

    float total = 0.0f;
    for (int c = t; c < columns; c += 256) {
        float v = x[r * columns + c] + residual[r * columns + c];
        residual[r * columns + c] = v;
        row[c] = v;  // read below by the same thread: no barrier needed for the row
        total += v * v;
    }

    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(0xffffffff, total, step);
    if (t % 32 == 0)
        part[t / 32] = total;
    __syncthreads();
    total = 0.0f;
    for (int w = 0; w < 8; w++)
        total += part[w];

    float scale = 1.0f / (sqrtf(total / columns) + eps);
    for (int c = t; c < columns; c += 256)
        out[r * columns + c] = row[c] * scale * weight[c];
}
