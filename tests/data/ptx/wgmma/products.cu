// Raw wgmma: shared memory is given as bytes, descriptors as numbers; all accumulators are stored.
#include <cstdint>
struct WgCase { uint64_t a, b; uint32_t scale; uint32_t pad; };
__device__ inline uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
#define F16(R) "+f"(R[0]), "+f"(R[1]), "+f"(R[2]), "+f"(R[3]), "+f"(R[4]), "+f"(R[5]), "+f"(R[6]), "+f"(R[7]), "+f"(R[8]), "+f"(R[9]), "+f"(R[10]), "+f"(R[11]), "+f"(R[12]), "+f"(R[13]), "+f"(R[14]), "+f"(R[15])
#define R16(R) "+r"(R[0]), "+r"(R[1]), "+r"(R[2]), "+r"(R[3]), "+r"(R[4]), "+r"(R[5]), "+r"(R[6]), "+r"(R[7]), "+r"(R[8]), "+r"(R[9]), "+r"(R[10]), "+r"(R[11]), "+r"(R[12]), "+r"(R[13]), "+r"(R[14]), "+r"(R[15])
#define R8(R) "+r"(R[0]), "+r"(R[1]), "+r"(R[2]), "+r"(R[3]), "+r"(R[4]), "+r"(R[5]), "+r"(R[6]), "+r"(R[7])
#define D16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
// in: 32 KB of shared memory; c: 128 x 16 (x8) accumulators; regs: 128 x 4 of A; out: like c
#define HEAD(NAME, T, N)                                                                              \
    extern "C" __global__ void __launch_bounds__(128) NAME(const uint4 *in, const T *c, const uint32_t *regs, WgCase k, T *out) { \
        __shared__ alignas(1024) uint4 mem[2048];                                                     \
        for (int i = threadIdx.x; i < 2048; i += 128) mem[i] = in[i];                                 \
        T d[N];                                                                                       \
        for (int i = 0; i < N; i++) d[i] = c[threadIdx.x * N + i];                                    \
        uint32_t a[4];                                                                                \
        for (int i = 0; i < 4; i++) a[i] = regs[threadIdx.x * 4 + i];                                 \
        uint64_t base = (at(mem) & 0x3ffff) >> 4, da = k.a + base, db = k.b + base;                   \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                  \
        __syncthreads();                                                                              \
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#define TAIL(N)                                                                                       \
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                \
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");                                \
        for (int i = 0; i < N; i++) asm volatile("" : "+r"(*(uint32_t *)&d[i])::"memory");            \
        (void)a; (void)da; (void)db;                                                                  \
        for (int i = 0; i < N; i++) out[threadIdx.x * N + i] = d[i];                                  \
    }
#define SS(NAME, FORM, REST)                                                                          \
    HEAD(NAME, float, 16)                                                                             \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %18, 0; wgmma.mma_async.sync.aligned." FORM " " D16 ", %16, %17, p" REST ";}" : F16(d) : "l"(da), "l"(db), "r"(k.scale)); \
    TAIL(16)
#define SSI(NAME, FORM)                                                                               \
    HEAD(NAME, uint32_t, 16)                                                                          \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %18, 0; wgmma.mma_async.sync.aligned." FORM " " D16 ", %16, %17, p;}" : R16(d) : "l"(da), "l"(db), "r"(k.scale)); \
    TAIL(16)
#define SSH(NAME, FORM, REST)                                                                         \
    HEAD(NAME, uint32_t, 8)                                                                           \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %10, 0; wgmma.mma_async.sync.aligned." FORM " " D8 ", %8, %9, p" REST ";}" : R8(d) : "l"(da), "l"(db), "r"(k.scale)); \
    TAIL(8)
#define RS(NAME, FORM, REST)                                                                          \
    HEAD(NAME, float, 16)                                                                             \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %21, 0; wgmma.mma_async.sync.aligned." FORM " " D16 ", {%16,%17,%18,%19}, %20, p" REST ";}" : F16(d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(db), "r"(k.scale)); \
    TAIL(16)
#define RSI(NAME, FORM)                                                                               \
    HEAD(NAME, uint32_t, 16)                                                                          \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %21, 0; wgmma.mma_async.sync.aligned." FORM " " D16 ", {%16,%17,%18,%19}, %20, p;}" : R16(d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(db), "r"(k.scale)); \
    TAIL(16)
SS(ss_f16_00, "m64n32k16.f32.f16.f16", ", 1, 1, 0, 0")
SS(ss_f16_01, "m64n32k16.f32.f16.f16", ", 1, 1, 0, 1")
SS(ss_f16_10, "m64n32k16.f32.f16.f16", ", 1, 1, 1, 0")
SS(ss_f16_11, "m64n32k16.f32.f16.f16", ", -1, 1, 1, 1")
SS(ss_bf16_00, "m64n32k16.f32.bf16.bf16", ", 1, -1, 0, 0")
SS(ss_tf32, "m64n32k8.f32.tf32.tf32", ", 1, 1")
SS(ss_e4m3, "m64n32k32.f32.e4m3.e4m3", ", 1, 1")
SS(ss_e5m2_e4m3, "m64n32k32.f32.e5m2.e4m3", ", -1, -1")
SSI(ss_s8, "m64n32k32.s32.s8.s8")
SSI(ss_u8_s8, "m64n32k32.s32.u8.s8")
SSH(ssh_f16_00, "m64n32k16.f16.f16.f16", ", 1, 1, 0, 0")
SSH(ssh_e4m3, "m64n32k32.f16.e4m3.e4m3", ", 1, 1")
RS(rs_f16_0, "m64n32k16.f32.f16.f16", ", 1, 1, 0")
RS(rs_f16_1, "m64n32k16.f32.f16.f16", ", 1, 1, 1")
RS(rs_bf16_0, "m64n32k16.f32.bf16.bf16", ", 1, 1, 0")
RS(rs_tf32, "m64n32k8.f32.tf32.tf32", ", 1, 1")
RS(rs_e4m3, "m64n32k32.f32.e4m3.e4m3", ", 1, 1")
RSI(rs_s8, "m64n32k32.s32.s8.s8")
