// st.async and red.async into the next block of the ring; then a copy from shared memory to the one behind it.
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
extern "C" __global__ void __cluster_dims__(4, 1, 1) stores(const int *in, int *out) {
    __shared__ alignas(16) int got[256];
    __shared__ alignas(16) int copy[256];
    __shared__ int count[4];
    __shared__ unsigned long long arrived, copied;
    unsigned rank, t = threadIdx.x;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    unsigned next = (rank + 1) % 4, last = (rank + 3) % 4;
    if (t < 4) count[t] = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&arrived)));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&copied)));
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1536;" ::"r"(at(&arrived)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(at(&copied)) : "memory");
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    int2 v = reinterpret_cast<const int2 *>(in)[blockIdx.x * 128 + t];
    unsigned bar = mapped(at(&arrived), next);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];"
                 ::"r"(mapped(at(&got[2 * t]), next)), "r"(v.x), "r"(v.y), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"
                 ::"r"(mapped(at(&count[t % 4]), next)), "r"(v.x + v.y), "r"(bar) : "memory");
    wait(at(&arrived), 0);
    got[2 * t] += 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                     ::"r"(mapped(at(copy), last)), "r"(at(got)), "r"(mapped(at(&copied), last)) : "memory");
    wait(at(&copied), 0);
    out[blockIdx.x * 260 + t] = copy[t];
    out[blockIdx.x * 260 + 128 + t] = copy[128 + t];
    if (t < 4) out[blockIdx.x * 260 + 256 + t] = count[t];
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}
