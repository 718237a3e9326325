// C = A * B^T: clusters of two blocks share tiles of B by multicast; one warp copies, two warpgroups multiply.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int M = 512, N = 128, K = 320, TM = 128, TN = 64, TK = 64, STAGES = 3;
constexpr int LEFT = TM * TK * 2, RIGHT = TN * TK * 2, BYTES = 1024 + STAGES * (LEFT + RIGHT);

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint64_t describe(uint32_t address) {
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}
__device__ void wait(uint32_t bar, uint32_t parity) {
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:}"
                 ::"r"(bar), "r"(parity) : "memory");
}
__device__ void arrive(uint32_t bar, uint32_t rank) {
    asm volatile("{.reg .b32 r;\nmapa.shared::cluster.u32 r, %0, %1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];}"
                 ::"r"(bar), "r"(rank) : "memory");
}

__global__ void __cluster_dims__(1, 2, 1) __launch_bounds__(384)
gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
    extern __shared__ uint8_t memory[];
    __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
    uint32_t tiles = (place(memory) + 1023) & ~1023u, rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    int group = threadIdx.x / 128, row = blockIdx.y * TM, column = blockIdx.x * TN;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full[s])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(place(&empty[s])));  // two groups of two blocks
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 256)
            for (int i = 0; i < K / TK; i++) {
                int s = i % STAGES;
                if (i >= STAGES) wait(place(&empty[s]), (i / STAGES - 1) & 1);
                uint32_t bar = place(&full[s]), left = tiles + s * (LEFT + RIGHT), right = left + LEFT;
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(LEFT + RIGHT) : "memory");
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                             ::"r"(left), "l"(&a), "r"(i * TK), "r"(row), "r"(bar) : "memory");
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                             ::"r"(right + rank * (RIGHT / 2)), "l"(&b), "r"(i * TK), "r"(column + (int)rank * (TN / 2)), "r"(bar), "h"((uint16_t)3) : "memory");
            }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
        float d[32];
        for (int i = 0; i < 32; i++) d[i] = 0;
        for (int i = 0; i < K / TK; i++) {
            int s = i % STAGES;
            wait(place(&full[s]), (i / STAGES) & 1);
            uint32_t left = tiles + s * (LEFT + RIGHT) + group * (LEFT / 2), right = tiles + s * (LEFT + RIGHT) + LEFT;
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (int k = 0; k < TK; k += 16)
                asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
                             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                               "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                             : "l"(describe(left + k * 2)), "l"(describe(right + k * 2)));
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            // The group before this one is done: its stage may be refilled.
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            if (i > 0 && threadIdx.x % 128 < 2) arrive(place(&empty[(i - 1) % STAGES]), threadIdx.x % 128);
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        for (int i = 0; i < 32; i++) asm volatile("" : "+f"(d[i])::"memory");
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        for (int i = 0; i < 32; i++) {
            int y = row + warp * 16 + lane / 4 + i / 2 % 2 * 8, x = column + i / 4 * 8 + lane % 4 * 2 + i % 2;
            c[y * N + x] = d[i];
        }
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

static CUtensorMap make(half *data, int rows, int box) {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
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
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    gemm<<<dim3(N / TN, M / TM), 384, BYTES>>>(make(da, M, TM), make(db, N, TN / 2), dc);
    cudaError_t error = cudaMemcpy(c.data(), dc, M * N * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < M; y++)
        for (int x = 0; x < N; x++) {
            float sum = 0;
            for (int k = 0; k < K; k++) sum += __half2float(a[y * K + k]) * __half2float(b[x * K + k]);
            wrong += sum != c[y * N + x];
        }
    printf("%d wrong, %s\n", wrong, cudaGetErrorName(error));
}
