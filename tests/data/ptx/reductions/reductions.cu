// Bulk copies that reduce: 2 KB of shared memory into global memory, into another block's, into a tensor.
#include <cuda.h>
#include <cstdint>
__device__ inline uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
#define FILL                                                                                       \
    __shared__ alignas(128) uint4 mem[128];                                                        \
    for (int i = threadIdx.x; i < 128; i += blockDim.x) mem[i] = in[i];                            \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                   \
    __syncthreads();
#define GLOBAL(NAME, FORM)                                                                         \
    extern "C" __global__ void global_##NAME(const uint4 *in, uint4 *out) {                        \
        FILL                                                                                       \
        if (threadIdx.x == 0) {                                                                    \
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." FORM " [%0], [%1], 2048;" ::"l"(out), "r"(place(mem)) : "memory"); \
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");  \
        }                                                                                          \
    }
#define SHARED(NAME, FORM)                                                                         \
    extern "C" __global__ void __cluster_dims__(2) shared_##NAME(const uint4 *in, uint4 *out) {    \
        __shared__ alignas(128) uint4 sums[128];                                                   \
        __shared__ unsigned long long bar;                                                         \
        for (int i = threadIdx.x; i < 128; i += blockDim.x) sums[i] = out[i];                      \
        if (threadIdx.x == 0) {                                                                    \
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&bar)));             \
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");                     \
        }                                                                                          \
        FILL                                                                                       \
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");                \
        uint32_t rank, to, their;                                                                  \
        asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));                               \
        asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(to) : "r"(place(sums)));         \
        asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(their) : "r"(place(&bar)));      \
        if (threadIdx.x == 0 && rank == 0)                                                         \
            asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." FORM " [%0], [%1], 2048, [%2];" ::"r"(to), "r"(place(mem)), "r"(their) : "memory"); \
        if (rank == 1) {                                                                           \
            if (threadIdx.x == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" ::"r"(place(&bar)) : "memory"); \
            for (unsigned done = 0, tries = 0; !done && tries < 200000; tries++)                   \
                asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(place(&bar)) : "memory"); \
            for (int i = threadIdx.x; i < 128; i += blockDim.x) out[i] = sums[i];                  \
        }                                                                                          \
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");                \
    }
#define TENSOR(NAME)                                                                               \
    extern "C" __global__ void tensor_##NAME(const __grid_constant__ CUtensorMap map, int x, int y, const uint4 *in) { \
        FILL                                                                                       \
        if (threadIdx.x == 0) {                                                                    \
            asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." #NAME ".tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x), "r"(y), "r"(place(mem)) : "memory"); \
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");  \
        }                                                                                          \
    }
GLOBAL(add_u32, "add.u32") GLOBAL(add_s32, "add.s32") GLOBAL(add_u64, "add.u64") GLOBAL(add_f32, "add.f32")
GLOBAL(add_f64, "add.f64") GLOBAL(add_f16, "add.noftz.f16") GLOBAL(add_bf16, "add.noftz.bf16")
GLOBAL(min_s32, "min.s32") GLOBAL(max_u32, "max.u32") GLOBAL(min_s64, "min.s64") GLOBAL(max_u64, "max.u64")
GLOBAL(min_f16, "min.f16") GLOBAL(max_f16, "max.f16") GLOBAL(min_bf16, "min.bf16") GLOBAL(max_bf16, "max.bf16")
GLOBAL(inc_u32, "inc.u32") GLOBAL(dec_u32, "dec.u32")
GLOBAL(and_b32, "and.b32") GLOBAL(or_b64, "or.b64") GLOBAL(xor_b32, "xor.b32")
SHARED(add_u32, "add.u32") SHARED(add_s32, "add.s32") SHARED(add_u64, "add.u64") SHARED(min_s32, "min.s32")
SHARED(max_u32, "max.u32") SHARED(inc_u32, "inc.u32") SHARED(dec_u32, "dec.u32")
SHARED(and_b32, "and.b32") SHARED(or_b32, "or.b32") SHARED(xor_b32, "xor.b32")
TENSOR(add) TENSOR(min) TENSOR(max) TENSOR(inc) TENSOR(dec) TENSOR(and) TENSOR(or) TENSOR(xor)
