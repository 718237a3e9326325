// Device limits; host-side costs of launches, graphs, transfers and allocations; waves of blocks.
#include <chrono>

#include <cuda.h>

#include "common.cuh"

__global__ void empty() {}

__global__ void clocks(long long nanoseconds, long long* found) {
    long long from, now, first = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - from < nanoseconds);
    found[0] = clock64() - first;
    found[1] = now - from;
}

// Eight blocks of these saturate an SM, so the time depends on how many blocks each SM must run.
__global__ void fmas(float* out) {
    float x = threadIdx.x;
#pragma unroll 64
    for (int i = 0; i < 4096; ++i) x = fmaf(x, 0.5f, 1.0f);
    if (x == 12345.0f) *out = x;
}

template <typename Work>
double host_us(int times, Work work) {
    std::vector<double> all;
    for (int run = -1; run < 7; ++run) {
        FINISH();
        const auto from = std::chrono::steady_clock::now();
        for (int i = 0; i < times; ++i) work();
        FINISH();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - from;
        if (run >= 0) all.push_back(took.count() / times);
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

void limits() {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    int mhz = 0;
    CHECK(cudaDeviceGetAttribute(&mhz, cudaDevAttrClockRate, 0));
    figure("device", "SMs", device.multiProcessorCount, "");
    figure("device", "L2 bytes", device.l2CacheSize, "B");
    figure("device", "shared per SM", double(device.sharedMemPerMultiprocessor), "B");
    figure("device", "shared per block opt-in", double(device.sharedMemPerBlockOptin), "B");
    figure("device", "shared per block", double(device.sharedMemPerBlock), "B");
    figure("device", "shared reserved per block", double(device.reservedSharedMemPerBlock), "B");
    figure("device", "registers per SM", device.regsPerMultiprocessor, "");
    figure("device", "registers per block", device.regsPerBlock, "");
    figure("device", "threads per SM", device.maxThreadsPerMultiProcessor, "");
    figure("device", "threads per block", device.maxThreadsPerBlock, "");
    figure("device", "blocks per SM", device.maxBlocksPerMultiProcessor, "");
    figure("device", "grid, x", device.maxGridSize[0], "");
    figure("device", "grid, y", device.maxGridSize[1], "");
    figure("device", "block, z", device.maxThreadsDim[2], "");
    figure("device", "constant memory", double(device.totalConstMem), "B");
    figure("device", "persisting L2 at most", device.persistingL2CacheMaxSize, "B");
    figure("device", "copy engines", device.asyncEngineCount, "");
    figure("device", "memory bus", device.memoryBusWidth, "bits");
    figure("device", "boost clock", mhz / 1000, "MHz");
    long long* found = on_device<long long>(2);
    clocks<<<1, 1>>>(200'000'000, found);
    FINISH();
    const auto seen = on_host(found, 2);
    figure("device", "clock seen", 1000.0 * seen[0] / seen[1], "MHz");
    CHECK(cudaFree(found));
}

void launches() {
    figure("launch", "empty kernels back to back", host_us(2000, [] { empty<<<1, 1>>>(); }), "us");
    figure("launch", "empty kernel and synchronize", host_us(500, [] {
               empty<<<1, 1>>>();
               FINISH();
           }), "us");
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 1000; ++i) empty<<<1, 1, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t ready;
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    const double whole = host_us(5, [&] { CHECK(cudaGraphLaunch(ready, stream)); });
    figure("launch", "empty kernels in a graph of 1000, each", whole / 1000, "us");
    for (size_t megabytes : {1, 64}) {
        const std::string of = " of " + std::to_string(megabytes) + " MB";
        figure("launch", ("cudaMalloc and cudaFree" + of).c_str(), host_us(100, [&] {
                   void* memory;
                   CHECK(cudaMalloc(&memory, megabytes << 20));
                   CHECK(cudaFree(memory));
               }), "us");
        const auto of_a_stream = [&] {
            void* memory;
            CHECK(cudaMallocAsync(&memory, megabytes << 20, stream));
            CHECK(cudaFreeAsync(memory, stream));
        };
        const std::string name = "cudaMallocAsync and cudaFreeAsync" + of;
        figure("launch", name.c_str(), host_us(100, of_a_stream), "us");
        figure("launch", (name + ", each synchronized").c_str(), host_us(100, [&] {
                   of_a_stream();
                   CHECK(cudaStreamSynchronize(stream));
               }), "us");
    }
    // By default the pool returns its free memory at each synchronization.
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    cuuint64_t kept = 1 << 30;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    figure("launch", "cudaMallocAsync and cudaFreeAsync of 64 MB, each synchronized, from a pool that keeps 1 GB",
           host_us(100, [&] {
               void* memory;
               CHECK(cudaMallocAsync(&memory, 64 << 20, stream));
               CHECK(cudaFreeAsync(memory, stream));
               CHECK(cudaStreamSynchronize(stream));
           }), "us");
}

void transfers() {
    const size_t bytes = 256 << 20;
    char *to = on_device<char>(bytes), *pinned = nullptr;
    std::vector<char> pageable(bytes, 1);
    CHECK(cudaMallocHost(&pinned, bytes));
    std::memset(pinned, 1, bytes);
    const auto rate = [&](char* into, const char* from) {
        return bytes / 1e3 / host_us(1, [&] { CHECK(cudaMemcpy(into, from, bytes, cudaMemcpyDefault)); });
    };
    figure("transfer", "host to device, pageable", rate(to, pageable.data()), "GB/s");
    figure("transfer", "host to device, pinned", rate(to, pinned), "GB/s");
    figure("transfer", "device to host, pinned", rate(pinned, to), "GB/s");
}

void waves() {
    int sms = 0, resident = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, fmas, 256, 0));
    const int wave = sms * resident;
    float* out = on_device<float>(1);
    for (int hundredths : {50, 100, 101, 150, 200, 201, 400, 401}) {
        const int blocks = (wave * hundredths + 99) / 100;
        const double ms = median_ms([&] { fmas<<<blocks, 256>>>(out); });
        char what[80];
        std::snprintf(what, sizeof what, "%d blocks = %.2f waves of %d", blocks, hundredths / 100.0, wave);
        figure("waves", what, ms * 1000, "us");
    }
}

int main() {
    limits();
    launches();
    transfers();
    waves();
}
