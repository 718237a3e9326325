#include <cuda_fp16.h>

constexpr int TILE = 64;  // halves: a row takes 128 bytes, eight chunks of 16

// Rows of 128 bytes: the same chunk of every row is in the same banks.
__device__ half* chunk_at(half* tile, int r, int q)
{
    return &tile[r * TILE + q * 8];
}

__device__ void load_tile(half* tile, const half* from, int k)
{
    for (int i = threadIdx.x; i < TILE * 8; i += 128)
        *(uint4*)chunk_at(tile, i / 8, i % 8) = *(const uint4*)&from[(size_t)(i / 8) * k + i % 8 * 8];
}

// Lane l gives the address of row l % 8 of matrix l / 8, and gets a register of each matrix.
__device__ void load_matrices(unsigned* r, const half* row)
{
    unsigned at = __cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}

__device__ void multiply(float* d, const unsigned* a, const unsigned* b)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3},"
        " {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ w, float* c,
                                  int m, int n, int k)
{
    __shared__ __align__(128) half sa[TILE * TILE], sw[TILE * TILE];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE, y = warp / 2 * 32, x = warp % 2 * 32;
    float sums[2][4][4] = {};  // 16x8 parts
    for (int start = 0; start < k; start += TILE) {
        load_tile(sa, a + (size_t)row * k + start, k);
        load_tile(sw, w + (size_t)column * k + start, k);
        __syncthreads();
        for (int s = 0; s < 8; s += 2) {  // two chunks: 16 along k
            unsigned fa[2][4], fw[2][4];
            for (int i = 0; i < 2; i++) {
                // a: the matrices are top left, bottom left, top right, bottom right.
                load_matrices(fa[i], chunk_at(sa, y + 16 * i + lane % 16, s + lane / 16));
                // w: the two halves of k for 8 columns of c, then for the next 8.
                load_matrices(fw[i], chunk_at(sw, x + 16 * i + lane / 16 * 8 + lane % 8, s + lane / 8 % 2));
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 4; j++)
                    multiply(sums[i][j], fa[i], &fw[j / 2][j % 2 * 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            for (int h = 0; h < 2; h++) {  // lane l has two columns of row l / 4, and of row l / 4 + 8
                int r = row + y + 16 * i + lane / 4 + 8 * h, q = column + x + 8 * j + lane % 4 * 2;
                *(float2*)&c[(size_t)r * n + q] = make_float2(sums[i][j][2 * h], sums[i][j][2 * h + 1]);
            }
}
