// Positions outside the image are read at the nearest one inside and multiplied by 0.
extern "C" __global__ void convolve(const float* x, const float* w, float* out, int dilation, int groups,
                                    int depth, int width, int rows, int columns)
{
    __shared__ float weights[64][9];
    int t = threadIdx.y * 32 + threadIdx.x, f = blockIdx.z, first = f / width * depth;
    for (int k = t; k < depth * 9; k += 256)
        weights[k / 9][k % 9] = w[(f * depth + k / 9) * 9 + k % 9];
    __syncthreads();
    int p = blockIdx.y * 8 + threadIdx.y, q = blockIdx.x * 32 + threadIdx.x;
    if (p < rows && q < columns) {
        float sum = 0.0f;
        for (int tap = 0; tap < 9; tap++) {
            int i = p + (tap / 3 - 1) * dilation, j = q + (tap % 3 - 1) * dilation;
            int near_i = min(max(i, 0), rows - 1), near_j = min(max(j, 0), columns - 1);
            float used = i == near_i && j == near_j ? 1.0f : 0.0f;
            for (int c = 0; c < depth; c++)
                sum += used * weights[c][tap] * x[((first + c) * rows + near_i) * columns + near_j];
        }
        out[(f * rows + p) * columns + q] = sum;
    }
}
