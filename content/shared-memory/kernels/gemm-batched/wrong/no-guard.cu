#define SIDE 16
#define EACH 8

extern "C" __global__ void batched(const float* __restrict__ a, const float* __restrict__ b,
                                   float* c, int batch, int n)
{
    __shared__ float sa[8][SIDE][SIDE], sb[8][SIDE][SIDE];
    int lane = threadIdx.x, warp = threadIdx.y;
    int which = blockIdx.x * 8 + warp;
    const float* a0 = a + (size_t)which * n * n;
    const float* b0 = b + (size_t)which * n * n;
    for (int e = lane; e < SIDE * SIDE; e += 32) {
        int y = e / SIDE, x = e % SIDE;
        bool inside = y < n && x < n;
        sa[warp][y][x] = inside ? a0[y * n + x] : 0.0f;
        sb[warp][y][x] = inside ? b0[y * n + x] : 0.0f;
    }
    __syncwarp();

    int column = lane % SIDE, top = lane / SIDE;
    float sum[EACH] = {};
#pragma unroll
    for (int p = 0; p < SIDE; p++) {
        float own = sb[warp][p][column];
#pragma unroll
        for (int j = 0; j < EACH; j++)
            sum[j] += sa[warp][top + 2 * j][p] * own;
    }
#pragma unroll
    for (int j = 0; j < EACH; j++)
        if (top + 2 * j < n && column < n)
            c[((size_t)which * n + top + 2 * j) * n + column] = sum[j];
}
