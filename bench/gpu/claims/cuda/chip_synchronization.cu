// Block and grid barriers; global atomic additions by address pattern.
#include <cooperative_groups.h>

#include "common.cuh"

namespace cg = cooperative_groups;

constexpr int BARRIERS = 1024;

__global__ void barriers(long long* cycles) {
    __syncthreads();
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < BARRIERS; ++i) __syncthreads();
    const long long to = clock64();
    if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void grid_barriers(int many) {
    for (int i = 0; i < many; ++i) cg::this_grid().sync();
}

// The host passes the stride and the value, so the compiler cannot aggregate the lanes of a warp.
template <typename T>
__global__ void add(T* words, unsigned apart, unsigned mask, T value) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&words[i * apart & mask], value);
}

template <typename T>
void additions(const char* type, unsigned apart) {
    const unsigned words = 1 << 22, threads = apart ? 1 << 26 : 1 << 22;  // 16 MB fits in L2
    T* to = on_device<T>(words);
    const double ms = median_ms([&] { add<T><<<threads / 256, 256>>>(to, apart, words - 1, T(1)); });
    const std::string where = apart ? "addresses " + std::to_string(apart) + " words apart" : "all to one address";
    const std::string what = std::string("global ") + type + " atomicAdd, " + where;
    figure("atomics", what.c_str(), threads / ms / 1e6, "G/s");
    CHECK(cudaFree(to));
}

int main() {
    long long* cycles = on_device<long long>(1);
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            barriers<<<1, threads>>>(cycles);
            FINISH();
            found = std::min(found, on_host(cycles, 1)[0]);
        }
        const std::string what = "__syncthreads, block of " + std::to_string(threads);
        figure("barrier", what.c_str(), double(found) / BARRIERS, "cycles");
    }
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const auto synchronized = [&](int many) {
        return median_ms([&] {
            void* arguments[] = {&many};
            CHECK(cudaLaunchCooperativeKernel(grid_barriers, dim3(sms), dim3(256), arguments));
        });
    };
    const double us = (synchronized(2000) - synchronized(1000)) / 1000 * 1000;
    figure("barrier", "grid.sync(), one block of 256 per SM", us, "us");
    additions<int>("int", 0);
    additions<float>("float", 0);
    additions<int>("int", 1);
    additions<float>("float", 1);
    additions<int>("int", 32);
}
