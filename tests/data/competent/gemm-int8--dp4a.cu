// Four products per instruction on the CUDA cores: 4 x 8 sums per thread.
extern "C" __global__ void matmul(const signed char* a, const signed char* w, const float* a_scales,
                                  const float* w_scales, float* c, int m, int n, int k)
{
    __shared__ int sa[64][17], sw[64][17];  // words of four elements
    int t = threadIdx.x, m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    int y = t / 16 * 8, x = t % 16;
    int sums[8][4] = {};
    for (int k0 = 0; k0 < k; k0 += 64) {
        for (int i = t; i < 64 * 16; i += 128) {
            int r = i / 16, q = i % 16;
            sa[r][q] = m0 + r < m ? *(const int*)&a[(size_t)(m0 + r) * k + k0 + 4 * q] : 0;
            sw[r][q] = *(const int*)&w[(size_t)(n0 + r) * k + k0 + 4 * q];
        }
        __syncthreads();
        for (int q = 0; q < 16; q++) {
            int right[4];
            for (int j = 0; j < 4; j++)
                right[j] = sw[x + 16 * j][q];
            for (int i = 0; i < 8; i++) {
                int left = sa[y + i][q];
                for (int j = 0; j < 4; j++)
                    sums[i][j] = __dp4a(left, right[j], sums[i][j]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 8 && m0 + y + i < m; i++)
        for (int j = 0; j < 4; j++) {
            int column = n0 + x + 16 * j;
            float scale = a_scales[m0 + y + i] * w_scales[column];
            c[(size_t)(m0 + y + i) * n + column] = sums[i][j] * scale;
        }
}
