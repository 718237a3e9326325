// Each block of a cluster copies a quarter of a tile into all four blocks.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void __cluster_dims__(4, 1, 1) multicast(const float *in, float *out, int tiles) {
    __shared__ alignas(128) float tile[256];
    __shared__ unsigned long long full;
    unsigned rank, t = threadIdx.x;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < tiles; i++) {
        if (t == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(at(&full)) : "memory");
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], %3;"
                ::"r"(at(&tile[64 * rank])), "l"(in + (blockIdx.x / 4 * tiles + i) * 256 + 64 * rank), "r"(at(&full)), "h"((unsigned short)15)
                : "memory");
        }
        asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;}" ::"r"(at(&full)), "r"(i & 1) : "memory");
        sum += tile[(t + 17 * rank) % 256] * (i + 1);
        asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    }
    out[blockIdx.x * 256 + t] = sum;
}
