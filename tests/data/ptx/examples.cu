// Compiled by NVRTC 13.5 for compute_90 with -lineinfo to examples.ptx; see docs/ptx.md.
#include <mma.h>
#include <cuda_fp16.h>

extern "C" __global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        if (x < n && blockIdx.y * 32 + y < n) tile[y][threadIdx.x] = in[(blockIdx.y * 32 + y) * n + x];
    __syncthreads();
    int column = blockIdx.y * 32 + threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        if (column < n && blockIdx.x * 32 + y < n)
            out[(blockIdx.x * 32 + y) * n + column] = tile[threadIdx.x][y];
}

__device__ __noinline__ float weigh(float value, int times) {
    return times > 2 ? sinf(value) : value * times;
}

__constant__ float scale[2] = {0.5f, 2.0f};

extern "C" __global__ void sums(const float *in, float *out, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += weigh(in[i], i % 4) * scale[i & 1];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
    if (threadIdx.x == 0 && n == 7) printf("%d of %5.2f\n", n, sum);
}

extern "C" __global__ void fragments(const half *a, const half *b, float *c) {
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sums, left, right, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}

extern "C" __global__ void products(const half *a, const half *b, float *c) {
    __shared__ half left[16 * 16], right[8 * 16];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) left[i] = a[i];
    for (int i = t; i < 128; i += 32) right[i] = b[i];
    __syncthreads();
    unsigned A[4], B[2];
    float C[4] = {0, 0, 0, 0};
    unsigned from = __cvta_generic_to_shared(left + (t % 16) * 16 + (t / 16) * 8);
    unsigned with = __cvta_generic_to_shared(right + (t % 8) * 16 + (t / 8 % 2) * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3]) : "r"(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(B[0]), "=r"(B[1]) : "r"(with));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])
                 : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]));
    for (int i = 0; i < 4; i++) c[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = C[i];
}

template <int LEFT> __device__ void copy_tiles(const float4 *in, float4 *out, int n) {
    __shared__ float4 tiles[2][32];
    int t = threadIdx.x;
    for (int i = 0; i <= n; i++) {
        if (i < n) {
            unsigned to = __cvta_generic_to_shared(&tiles[i % 2][t]);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + i * 32 + t));
        }
        asm volatile("cp.async.commit_group;");
        if (i == 0) continue;
        asm volatile("cp.async.wait_group %0;" ::"n"(LEFT));
        __syncthreads();
        out[(i - 1) * 32 + t] = tiles[(i - 1) % 2][31 - t];
        __syncthreads();
    }
}
extern "C" __global__ void pipeline(const float4 *in, float4 *out, int n) { copy_tiles<1>(in, out, n); }
extern "C" __global__ void lax_pipeline(const float4 *in, float4 *out, int n) { copy_tiles<2>(in, out, n); }

extern "C" __global__ void unguarded(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + n;
}

extern "C" __global__ void racing(float *out) {
    __shared__ float values[64];
    values[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = values[63 - threadIdx.x];
}

extern "C" __global__ void apart(float *out) {
    if (threadIdx.x < 16) __syncthreads();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void spinning(int *flag) {
    while (atomicAdd(flag, 0) == 0) {}
}

extern "C" __global__ void handshake(int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {}
        out[0] = 5;
    } else if (threadIdx.x == 1) {
        atomicExch(flag, 1);
    }
}

extern "C" __global__ void trapping(int n) {
    if (n > 3 && threadIdx.x == 2) __trap();
}
