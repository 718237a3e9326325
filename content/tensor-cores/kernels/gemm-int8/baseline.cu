constexpr int TILE = 64;

extern "C" __global__ void matmul(const signed char* __restrict__ a, const signed char* __restrict__ w,
                                  const float* __restrict__ a_scales, const float* __restrict__ w_scales,
                                  float* c, int m, int n, int k)
{
    __shared__ signed char sa[TILE][TILE + 4], sw[TILE][TILE + 4];
    int t = threadIdx.x, y = t / 16 * 8, x = t % 16;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int sums[8][4] = {};
    for (int start = 0; start < k; start += TILE) {
        for (int i = t; i < TILE * TILE / 4; i += 128) {
            int r = i / 16, q = i % 16 * 4;
            *(int*)&sa[r][q] = row + r < m ? *(const int*)&a[(size_t)(row + r) * k + start + q] : 0;
            *(int*)&sw[r][q] = *(const int*)&w[(size_t)(column + r) * k + start + q];
        }
        __syncthreads();
        for (int s = 0; s < TILE; s++)  // one product per statement
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 4; j++)
                    sums[i][j] += sa[y + i][s] * sw[x + 16 * j][s];
        __syncthreads();
    }
    for (int i = 0; i < 8 && row + y + i < m; i++)
        for (int j = 0; j < 4; j++) {
            int r = row + y + i, q = column + x + 16 * j;
            c[(size_t)r * n + q] = a_scales[r] * w_scales[q] * sums[i][j];
        }
}
