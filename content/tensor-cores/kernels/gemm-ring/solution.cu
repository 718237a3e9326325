#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

constexpr int TILE = 64, STEP = 32, STAGES = 3;
constexpr int PITCH_A = STEP + 8, PITCH_B = TILE + 8;

struct Stage {
    half a[TILE * PITCH_A], b[STEP * PITCH_B];
};

// Begins to copy step `step` into its stage; the group is empty behind the last step.
__device__ void begin_copy(Stage* ring, const half* a, const half* b, int step, int n, int k)
{
    if (step * STEP < k) {
        Stage& to = ring[step % STAGES];
        for (int i = threadIdx.x; i < TILE * STEP / 8; i += 128) {
            int r = i / 4, q = i % 4 * 8;
            __pipeline_memcpy_async(&to.a[r * PITCH_A + q], &a[(size_t)r * k + step * STEP + q], 16);
        }
        for (int i = threadIdx.x; i < STEP * TILE / 8; i += 128) {
            int r = i / 8, q = i % 8 * 8;
            __pipeline_memcpy_async(&to.b[r * PITCH_B + q], &b[(size_t)(step * STEP + r) * n + q], 16);
        }
    }
    __pipeline_commit();
}

extern "C" __global__ void matmul(const half* __restrict__ a, const half* __restrict__ b, float* c,
                                  int m, int n, int k)
{
    __shared__ __align__(32) Stage ring[STAGES];
    int warp = threadIdx.x / 32, y = warp / 2 * 32, x = warp % 2 * 32;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    a += (size_t)row * k;
    b += column;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums[i / 2][i % 2], 0.0f);
    for (int step = 0; step < STAGES - 1; step++)
        begin_copy(ring, a, b, step, n, k);
    for (int step = 0; step * STEP < k; step++) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of `step` are there
        __syncthreads();  // those of all threads, and nobody reads the stage of step - 1 any more
        begin_copy(ring, a, b, step + STAGES - 1, n, k);
        Stage& now = ring[step % STAGES];
        for (int s = 0; s < STEP; s += 16)
            for (int i = 0; i < 2; i++) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
                wmma::load_matrix_sync(fa, &now.a[(y + 16 * i) * PITCH_A + s], PITCH_A);
                for (int j = 0; j < 2; j++) {
                    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
                    wmma::load_matrix_sync(fb, &now.b[s * PITCH_B + x + 16 * j], PITCH_B);
                    wmma::mma_sync(sums[i][j], fa, fb, sums[i][j]);
                }
            }
    }
    for (int i = 0; i < 4; i++) {
        size_t at = (size_t)(row + y + i / 2 * 16) * n + column + x + i % 2 * 16;
        wmma::store_matrix_sync(&c[at], sums[i / 2][i % 2], n, wmma::mem_row_major);
    }
}
