// C = A * B^T in f16 with f32 sums: a ring of tensor copies, one warp that copies, one warpgroup that multiplies.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int M = 128, N = 192, K = 256, TM = 64, TN = 64, TK = 64, STAGES = 2;

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint64_t describe(uint32_t address) {  // K contiguous, rows of 128 bytes, swizzled
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}
__device__ void wait(uint32_t bar, uint32_t parity) {
    uint32_t done = 0;
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__device__ void load(void *to, const CUtensorMap *map, uint32_t bar, int k, int row) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(place(to)), "l"(map), "r"(k), "r"(row), "r"(bar) : "memory");
}

__global__ void __launch_bounds__(160) gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
    __shared__ alignas(1024) half left[STAGES][TM * TK];
    __shared__ alignas(1024) half right[STAGES][TN * TK];
    __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
    int warp = threadIdx.x / 32, row = blockIdx.y * TM, column = blockIdx.x * TN;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full[s])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(place(&empty[s])));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (warp == 4) {
        if (threadIdx.x % 32 == 0)
            for (int i = 0; i < K / TK; i++) {
                int s = i % STAGES;
                if (i >= STAGES) wait(place(&empty[s]), (i / STAGES - 1) & 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" ::"r"(place(&full[s])) : "memory");
                load(left[s], &a, place(&full[s]), i * TK, row);
                load(right[s], &b, place(&full[s]), i * TK, column);
            }
        return;
    }
    float d[32];
    for (int i = 0; i < 32; i++) d[i] = 0;
    for (int i = 0; i < K / TK; i++) {
        int s = i % STAGES;
        wait(place(&full[s]), (i / STAGES) & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < TK; k += 16)
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                           "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                         : "l"(describe(place(left[s] + k))), "l"(describe(place(right[s] + k))));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (threadIdx.x % 32 == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(&empty[s])) : "memory");
    }
    int lane = threadIdx.x % 32;
    for (int i = 0; i < 32; i++) {
        int y = row + warp * 16 + lane / 4 + i / 2 % 2 * 8, x = column + i / 4 * 8 + lane % 4 * 2 + i % 2;
        c[y * N + x] = d[i];
    }
}

static CUtensorMap make(half *data, int rows, int box) {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
    CUtensorMap map;
    cuuint64_t sizes[2] = {K, (cuuint64_t)rows}, strides[1] = {K * sizeof(half)};
    cuuint32_t boxes[2] = {TK, (cuuint32_t)box}, steps[2] = {1, 1};
    if (((decltype(&cuTensorMapEncodeTiled))found)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, boxes, steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        printf("no map\n");
    return map;
}

int main() {
    std::vector<half> a(M * K), b(N * K);
    std::vector<float> c(M * N);
    for (int i = 0; i < M * K; i++) a[i] = __float2half((float)(i * 7 % 11 - 5));
    for (int i = 0; i < N * K; i++) b[i] = __float2half((float)(i * 5 % 13 - 6));
    half *da, *db;
    float *dc;
    cudaMalloc(&da, M * K * 2);
    cudaMalloc(&db, N * K * 2);
    cudaMalloc(&dc, M * N * 4);
    cudaMemcpy(da, a.data(), M * K * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), N * K * 2, cudaMemcpyHostToDevice);
    gemm<<<dim3(N / TN, M / TM), 160>>>(make(da, M, TM), make(db, N, TN), dc);
    cudaMemcpy(c.data(), dc, M * N * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < M; y++)
        for (int x = 0; x < N; x++) {
            float sum = 0;
            for (int k = 0; k < K; k++) sum += __half2float(a[y * K + k]) * __half2float(b[x * K + k]);
            wrong += sum != c[y * N + x];
        }
    printf("%d wrong\n", wrong);
}
