// What a conflicted load costs: one warp that waits for each load, and many warps that do not.
#include "common.cuh"

constexpr int LOADS = 256, ROUNDS = 64, AT_ONCE = 8;

__device__ unsigned loaded(unsigned at) {
    unsigned found;
    // Volatile for the assembler, too: it would load once what no round stores.
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(found) : "r"(at));
    return found;
}

// Each lane's word holds its own address, so that each load waits for the one before it.
__global__ void chain(int ways, long long* cycles, unsigned* out) {
    __shared__ unsigned words[1024];
    const unsigned first = unsigned(__cvta_generic_to_shared(words));
    for (int i = threadIdx.x; i < 1024; i += 32) words[i] = first + 4 * i;
    __syncthreads();
    unsigned at = first + 4 * (threadIdx.x * ways % 1024);
    at = loaded(at);
    const long long from = clock64();
#pragma unroll
    for (int i = 0; i < LOADS; ++i) at = loaded(at);
    const long long to = clock64();
    out[threadIdx.x] = at;
    if (threadIdx.x == 0) *cycles = to - from;
}

// The same as a program has it: the word holds an index, which has to become an address.
__global__ void chain_of_indices(int ways, long long* cycles, unsigned* out) {
    __shared__ unsigned words[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
    __syncthreads();
    unsigned at = words[threadIdx.x * ways % 1024];
    const long long from = clock64();
#pragma unroll
    for (int i = 0; i < LOADS; ++i) at = words[at];
    const long long to = clock64();
    out[threadIdx.x] = at;
    if (threadIdx.x == 0) *cycles = to - from;
}

// Loads of several warps of one multiprocessor, AT_ONCE of each under way.
__global__ void stream(int ways, long long* cycles, unsigned* out) {
    __shared__ unsigned words[1024 + AT_ONCE * 32];
    const unsigned first = unsigned(__cvta_generic_to_shared(words));
    for (int i = threadIdx.x; i < 1024 + AT_ONCE * 32; i += blockDim.x) words[i] = i;
    const unsigned at = first + 4 * (threadIdx.x % 32 * ways % 1024);
    unsigned sum = 0;
    __syncthreads();
    const long long from = clock64();
    for (int round = 0; round < ROUNDS; ++round) {
        unsigned found[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) found[i] = loaded(at + 128 * i);
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) sum += found[i];
    }
    __syncthreads();
    const long long to = clock64();
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) *cycles = to - from;
}

int main() {
    long long* cycles = on_device<long long>(1);
    unsigned* out = on_device<unsigned>(1024);
    for (int ways : {1, 2, 4, 8, 16, 32}) {
        const std::string name = std::to_string(ways) + "-way";
        const auto least = [&](auto launch) {
            long long found = 1LL << 62;
            for (int run = 0; run < 5; ++run) {
                launch();
                CHECK(cudaDeviceSynchronize());
                found = std::min(found, on_host(cycles, 1)[0]);
            }
            return double(found);
        };
        const double address = least([&] { chain<<<1, 32>>>(ways, cycles, out); });
        figure(name, "cycles of a dependent load by address, 1 warp", address / LOADS, "cycles");
        const double index = least([&] { chain_of_indices<<<1, 32>>>(ways, cycles, out); });
        figure(name, "cycles of a dependent load by index, 1 warp", index / LOADS, "cycles");
        for (int warps : {1, 2, 4, 8, 16, 32}) {
            const double all = least([&] { stream<<<1, 32 * warps>>>(ways, cycles, out); });
            const std::string what = "cycles a load, warps: " + std::to_string(warps);
            figure(name, what.c_str(), all / (ROUNDS * AT_ONCE * warps), "cycles");
        }
    }
}
