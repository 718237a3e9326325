// Additions of pairs and vectors in one atomic.
extern "C" __global__ void packed(const unsigned *halves, const unsigned *bfloats, const float4 *floats, unsigned *out, float4 *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    unsigned before;
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(out), "r"(halves[i]) : "memory");
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(out + 1), "r"(bfloats[i]) : "memory");
    asm volatile("red.global.add.noftz.bf16 [%0], %1;" ::"l"(out + 2), "h"((unsigned short)bfloats[i]) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(floats[i].x), "f"(floats[i].y), "f"(floats[i].z), "f"(floats[i].w) : "memory");
    asm volatile("atom.shared.add.noftz.f16x2 %0, [%1], %2;" : "=r"(before) : "r"((unsigned)__cvta_generic_to_shared(&own)), "r"(halves[i]) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) out[4 + blockIdx.x] = own;
    if (before > 0xffff0000u) out[3] = before;
}
