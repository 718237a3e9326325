// Tensor copies: shared memory as a load leaves it, global memory as a store leaves it.
#include <cuda.h>
#include <cstdint>
struct Coords { int c[5]; unsigned bytes, offset; };
__device__ inline uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
#define LOAD(RANK, LIST, ...)                                                                         \
    extern "C" __global__ void load##RANK(const __grid_constant__ CUtensorMap map, Coords k, uint4 *out) { \
        __shared__ alignas(1024) uint4 mem[2048];                                                     \
        __shared__ unsigned long long bar;                                                            \
        for (int i = threadIdx.x; i < 2048; i += blockDim.x) mem[i] = make_uint4(0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa); \
        if (threadIdx.x == 0) {                                                                       \
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&bar)));                \
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                              \
        }                                                                                             \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                  \
        __syncthreads();                                                                              \
        if (threadIdx.x == 0) {                                                                       \
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(&bar)), "r"(k.bytes) : "memory"); \
            asm volatile("cp.async.bulk.tensor." #RANK "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" LIST "}], [%2];" \
                         ::"r"(place(mem) + k.offset), "l"(&map), "r"(place(&bar)), __VA_ARGS__ : "memory"); \
        }                                                                                             \
        unsigned done = 0;                                                                            \
        for (unsigned tries = 0; !done && tries < 200000; tries++)                                    \
            asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(place(&bar)) : "memory"); \
        for (int i = threadIdx.x; i < 2048; i += blockDim.x) out[i] = mem[i];                         \
        if (threadIdx.x == blockDim.x - 1) out[2047].w = done;                                        \
    }                                                                                                 \
    extern "C" __global__ void store##RANK(const __grid_constant__ CUtensorMap map, Coords k, const uint4 *in) { \
        __shared__ alignas(1024) uint4 mem[2048];                                                     \
        for (int i = threadIdx.x; i < 2048; i += blockDim.x) mem[i] = in[i];                          \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                  \
        __syncthreads();                                                                              \
        if (threadIdx.x == 0) {                                                                       \
            asm volatile("cp.async.bulk.tensor." #RANK "d.global.shared::cta.bulk_group [%1, {" LIST "}], [%0];" \
                         ::"r"(place(mem) + k.offset), "l"(&map), "r"(0), __VA_ARGS__ : "memory");    \
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");                                 \
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");                                 \
        }                                                                                             \
    }
LOAD(1, "%3", "r"(k.c[0]))
LOAD(2, "%3, %4", "r"(k.c[0]), "r"(k.c[1]))
LOAD(3, "%3, %4, %5", "r"(k.c[0]), "r"(k.c[1]), "r"(k.c[2]))
LOAD(4, "%3, %4, %5, %6", "r"(k.c[0]), "r"(k.c[1]), "r"(k.c[2]), "r"(k.c[3]))
LOAD(5, "%3, %4, %5, %6, %7", "r"(k.c[0]), "r"(k.c[1]), "r"(k.c[2]), "r"(k.c[3]), "r"(k.c[4]))
