#define TILE 64
#define DEEP 8
#define EACH 4

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[TILE][DEEP], sb[DEEP][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE;

    float sum[EACH][EACH] = {};
    for (int start = 0; start < k; start += DEEP) {
        for (int e = t; e < TILE * DEEP; e += 256) {
            int y = e / DEEP, p = e % DEEP;
            bool inside = top + y < m && start + p < k;
            sa[y][p] = inside ? a[(size_t)(top + y) * k + start + p] : 0.0f;
        }
        for (int e = t; e < DEEP * TILE; e += 256) {
            int p = e / TILE, x = e % TILE;
            bool inside = start + p < k && left + x < n;
            sb[p][x] = inside ? b[(size_t)(start + p) * n + left + x] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < DEEP; p++) {
            float u[EACH], v[EACH];
            for (int i = 0; i < EACH; i++)
                u[i] = sa[ty * EACH + i][p];
            for (int j = 0; j < EACH; j++)
                v[j] = sb[p][tx * EACH + j];
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            int row = top + ty * EACH + i, column = left + tx * EACH + j;
            if (row < m && column < n)
                c[(size_t)row * n + column] = sum[i][j];
        }
}
