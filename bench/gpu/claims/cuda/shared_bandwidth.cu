// Shared memory bandwidth of 1 to 32 warps of an SM, by the width of their loads.
#include "common.cuh"

constexpr int ROUNDS = 64, AT_ONCE = 16;

// Volatile for ptxas as well, which would otherwise load once.
__device__ void load(unsigned at, unsigned& to) { asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(to) : "r"(at)); }
__device__ void load(unsigned at, uint2& to) {
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(to.x), "=r"(to.y) : "r"(at));
}
__device__ void load(unsigned at, uint4& to) {
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w) : "r"(at));
}
__device__ void use(const unsigned& from) { asm volatile("" ::"r"(from)); }
__device__ void use(const uint2& from) { asm volatile("" ::"r"(from.x), "r"(from.y)); }
__device__ void use(const uint4& from) { asm volatile("" ::"r"(from.x), "r"(from.y), "r"(from.z), "r"(from.w)); }

template <typename T>
__global__ void __launch_bounds__(1024) stream(long long* cycles) {
    __shared__ __align__(16) unsigned char bytes[32 * sizeof(T) + 16 * AT_ONCE];
    for (unsigned i = threadIdx.x; i < sizeof bytes; i += blockDim.x) bytes[i] = 0;
    const unsigned at = unsigned(__cvta_generic_to_shared(bytes)) + threadIdx.x % 32 * sizeof(T);
    __syncthreads();
    const long long from = clock64();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; ++round) {
        T found[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) load(at + 16 * i, found[i]);
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) use(found[i]);
    }
    __syncthreads();
    const long long to = clock64();
    if (threadIdx.x == 0) *cycles = to - from;
}

template <typename T>
void width(long long* cycles) {
    for (int warps : {1, 2, 4, 8, 16, 32}) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            stream<T><<<1, 32 * warps>>>(cycles);
            FINISH();
            found = std::min(found, on_host(cycles, 1)[0]);
        }
        figure("loads of " + std::to_string(sizeof(T)) + " bytes per lane, warps: " + std::to_string(warps),
               "bytes per cycle", 32.0 * sizeof(T) * ROUNDS * AT_ONCE * warps / found, "per cycle");
    }
}

int main() {
    long long* cycles = on_device<long long>(1);
    width<unsigned>(cycles);
    width<uint2>(cycles);
    width<uint4>(cycles);
}
