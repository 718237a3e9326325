// Named barriers: cost by number of warps, and arrival without waiting.
#include "common.cuh"

constexpr int TIMES = 1024;

// Each pair of warps uses its own barrier.
__global__ void pairs(long long* cycles) {
    const unsigned id = threadIdx.x / 64;
    __syncthreads();
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < TIMES; ++i) asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory");
    const long long to = clock64();
    if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void constant_pair(long long* cycles) {
    __syncthreads();
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < TIMES; ++i) asm volatile("bar.sync 3, 64;" ::: "memory");
    const long long to = clock64();
    if (threadIdx.x == 0) *cycles = to - from;
}

// Two warps hand a buffer back and forth: barrier 1 means full, barrier 2 empty.
__global__ void handshake(long long* cycles) {
    __syncthreads();
    const long long from = clock64();
    if (threadIdx.x < 32) {
#pragma unroll 16
        for (int i = 0; i < TIMES; ++i) {
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        }
    } else {
#pragma unroll 16
        for (int i = 0; i < TIMES; ++i) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    const long long to = clock64();
    if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void warp_barriers(long long* cycles) {
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < TIMES; ++i) asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    const long long to = clock64();
    if (threadIdx.x == 0) *cycles = to - from;
}

// The host passes the barrier's number, so ptxas cannot reject it.
__global__ void of_number(unsigned id, unsigned* out) {
    asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory");
    out[threadIdx.x] = 1;
}

int main(int many, char** values) {
    if (many == 3 && std::strcmp(values[1], "number") == 0) {  // `named_barriers number 16`
        of_number<<<1, 64>>>(unsigned(std::atoi(values[2])), on_device<unsigned>(64));
        FINISH();
        std::printf("ended without an error\n");
        return 0;
    }
    long long* cycles = on_device<long long>(1);
    const auto least = [&](const char* name, auto launch) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            launch();
            FINISH();
            found = std::min(found, on_host(cycles, 1)[0]);
        }
        figure(name, "cycles", double(found) / TIMES, "cycles");
    };
    least("bar.sync 3, 64", [&] { constant_pair<<<1, 64>>>(cycles); });
    least("bar.sync id, 64, 1 pair of warps", [&] { pairs<<<1, 64>>>(cycles); });
    least("bar.sync id, 64, 8 pairs of warps", [&] { pairs<<<1, 512>>>(cycles); });
    least("bar.sync id, 64, 16 pairs of warps", [&] { pairs<<<1, 1024>>>(cycles); });
    least("bar.arrive and bar.sync, there and back", [&] { handshake<<<1, 64>>>(cycles); });
    least("__syncwarp", [&] { warp_barriers<<<1, 32>>>(cycles); });
}
