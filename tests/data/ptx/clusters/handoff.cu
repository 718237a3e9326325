// Block 0 of each cluster fills a ring of stages in all blocks by remote stores; their threads read.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned mapped(unsigned a, unsigned rank) {
    unsigned r;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(rank));
    return r;
}
__device__ void wait(unsigned bar, unsigned parity) {
    asm volatile("{.reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra W;}"
                 ::"r"(bar), "r"(parity) : "memory");
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) handoff(const float *in, float *out, int tiles) {
    __shared__ float stage[2][64];
    __shared__ unsigned long long full[2], empty[2];
    unsigned rank, t = threadIdx.x;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) {
        for (int s = 0; s < 2; s++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(at(&full[s])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(at(&empty[s])));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
    if (rank == 0 && t >= 64) {
        unsigned own = t - 64;
#pragma unroll 1
        for (int i = 0; i < tiles; i++) {
            int s = i % 2;
            if (i >= 2) wait(at(&empty[s]), (i / 2 - 1) & 1);
            float x = in[(blockIdx.x / 2 * tiles + i) * 64 + own];
            for (unsigned r = 0; r < 2; r++) {
                asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(mapped(at(&stage[s][own]), r)), "f"(x * (r + 1)) : "memory");
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(at(&full[s]), r)) : "memory");
            }
        }
    }
    if (t < 64) {
        float sum = 0;
#pragma unroll 1
        for (int i = 0; i < tiles; i++) {
            int s = i % 2;
            wait(at(&full[s]), (i / 2) & 1);
            sum += stage[s][63 - t] * (i + 1);
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(at(&empty[s]), 0)) : "memory");
        }
        out[blockIdx.x * 64 + t] = sum;
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}
