// One access of a warp to the shared memory of other blocks: lane by lane, a rank and an offset.
#include <cstdint>
__device__ inline uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
#define KERNEL(NAME, ADDRESS, ACCESS)                                                              \
    extern "C" __global__ void __cluster_dims__(8) NAME(const int *ranks, const int *offsets, int *out) { \
        __shared__ alignas(16) int mem[8192];                                                      \
        for (int i = threadIdx.x; i < 8192; i += 32) mem[i] = i;                                   \
        unsigned rank;                                                                             \
        asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));                               \
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");                \
        int to = ranks[threadIdx.x], a = 0, b = 0, c = 0, d = 0;                                   \
        if (rank == 0 && to >= 0) {                                                                \
            ADDRESS                                                                                \
            at += offsets[threadIdx.x];                                                            \
            ACCESS                                                                                 \
        }                                                                                          \
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");                \
        if (rank == 0) out[threadIdx.x] = a + b + c + d;                                           \
    }
#define NEAR uint32_t at; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(place(mem)), "r"(to));
#define FAR uint64_t at; asm volatile("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"(mem), "r"(to));
KERNEL(ld4, NEAR, asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(a) : "r"(at) : "memory");)
KERNEL(ld8, NEAR, asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at) : "memory");)
KERNEL(ld16, NEAR, asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at) : "memory");)
KERNEL(st4, NEAR, asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(to) : "memory");)
KERNEL(st8, NEAR, asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %1};" ::"r"(at), "r"(to) : "memory");)
KERNEL(st16, NEAR, asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(to) : "memory");)
KERNEL(atom4, NEAR, asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(at), "r"(to) : "memory");)
KERNEL(red4, NEAR, asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(to) : "memory");)
KERNEL(gld4, FAR, asm volatile("ld.u32 %0, [%1];" : "=r"(a) : "l"(at) : "memory");)
KERNEL(gld16, FAR, asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at) : "memory");)
KERNEL(gst4, FAR, asm volatile("st.u32 [%0], %1;" ::"l"(at), "r"(to) : "memory");)
KERNEL(gatom4, FAR, asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(a) : "l"(at), "r"(to) : "memory");)
