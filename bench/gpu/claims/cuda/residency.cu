// Resident blocks per SM by resources; the carveout; the base address of dynamic shared memory.
#include "common.cuh"

__global__ void asks(unsigned* out) {
    extern __shared__ unsigned memory[];
    if (out == nullptr) memory[threadIdx.x] = 1;
}

// Counts resident blocks: each block registers on its SM, waits, and reads the count.
__global__ void count_neighbors(int* present, int* most) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) {
        atomicAdd(&present[sm], 1);
        for (const long long until = clock64() + 2000000; clock64() < until;) {}
        atomicMax(&most[sm], atomicAdd(&present[sm], 0));
        for (const long long until = clock64() + 200000; clock64() < until;) {}
        atomicAdd(&present[sm], -1);
    }
}

__global__ void addresses(unsigned* out) {
    extern __shared__ unsigned memory[];
    if (threadIdx.x == 0) out[0] = unsigned(__cvta_generic_to_shared(memory));
}

__global__ void addresses_after_static(unsigned* out) {
    __shared__ unsigned char before[100];
    extern __shared__ unsigned char bytes[];
    before[threadIdx.x] = 1;
    if (threadIdx.x == 0) {
        out[0] = unsigned(__cvta_generic_to_shared(bytes));
        out[1] = unsigned(__cvta_generic_to_shared(before)) + before[1] - 1;
    }
}

__global__ void addresses_aligned(unsigned* out) {
    __shared__ unsigned char before[100];
    extern __shared__ __align__(1024) unsigned char aligned_memory[];
    before[threadIdx.x] = 1;
    if (threadIdx.x == 0) {
        out[0] = unsigned(__cvta_generic_to_shared(aligned_memory));
        out[1] = unsigned(__cvta_generic_to_shared(before)) + before[1] - 1;
    }
}

// Reads a buffer twice and times the second pass: it hits if the rest of L1 holds the buffer.
__global__ void read_twice(const unsigned* next, int steps, long long* cycles, unsigned* out) {
    unsigned at = 0;
    for (int i = 0; i < steps; ++i) at = next[at];
    const long long from = clock64();
    for (int i = 0; i < steps; ++i) at = next[at];
    const long long to = clock64();
    *out = at;
    *cycles = to - from;
}

int blocks_of(const void* kernel, int threads, size_t shared) {
    int blocks = 0;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
    return blocks;
}

int main() {
    const void* kernel = reinterpret_cast<const void*>(asks);
    for (int kb : {0, 1, 6, 7, 16, 24, 32, 48, 56, 64, 75, 76, 100, 112, 113, 114, 200, 227}) {
        const std::string name = std::to_string(kb) + " KB of dynamic shared memory";
        figure(name, "blocks of 64 per SM", blocks_of(kernel, 64, kb * 1024), "");
        figure(name, "blocks of 256 per SM", blocks_of(kernel, 256, kb * 1024), "");
    }
    for (int threads : {32, 64, 96, 128, 256, 512, 768, 1024})
        figure("blocks of " + std::to_string(threads), "per SM", blocks_of(kernel, threads, 0), "");

    unsigned* out = on_device<unsigned>(2);
    // The limit without the opt-in, and with it.
    const auto launched = [&](int bytes) {
        addresses<<<1, 32, bytes>>>(out);
        cudaError_t found = cudaGetLastError();
        if (found == cudaSuccess) found = cudaDeviceSynchronize();
        return std::string(cudaGetErrorString(found));
    };
    told("49,152 bytes without the opt-in", "launch", launched(49152));
    told("49,153 bytes without the opt-in", "launch", launched(49153));
    CHECK(cudaFuncSetAttribute(addresses, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    told("227 KB with the opt-in", "launch", launched(227 * 1024));
    told("227 KB + 1 byte with the opt-in", "launch", launched(227 * 1024 + 1));
    told("228 KB", "opt-in", cudaGetErrorString(
        cudaFuncSetAttribute(addresses, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024)));
    cudaGetLastError();

    // The carveout hint's effect on residency and on L1.
    int *present = on_device<int>(256), *most = on_device<int>(256);
    CHECK(cudaFuncSetAttribute(count_neighbors, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (int carveout : {-1, 0, 25, 50, 100}) {
        const std::string name = "carveout hint " + std::to_string(carveout);
        CHECK(cudaFuncSetAttribute(count_neighbors, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
        for (int kb : {8, 24, 48}) {
            CHECK(cudaMemset(present, 0, 1024));
            CHECK(cudaMemset(most, 0, 1024));
            count_neighbors<<<132 * 32, 64, kb * 1024>>>(present, most);
            FINISH();
            const auto found = on_host(most, 256);
            int occupancy = 0;
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&occupancy, count_neighbors, 64, kb * 1024));
            figure(name, ("blocks of 64 seen on an SM, " + std::to_string(kb) + " KB each").c_str(),
                   *std::max_element(found.begin(), found.end()), "");
            figure(name, ("blocks of 64 by the occupancy function, " + std::to_string(kb) + " KB each").c_str(), occupancy, "");
        }
        CHECK(cudaFuncSetAttribute(read_twice, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
        for (int kb : {16, 64, 128, 192, 240}) {
            const int lines = kb * 8;
            std::vector<unsigned> next(lines * 32, 0);
            for (int i = 0; i < lines; ++i) next[32 * i] = 32 * ((i + 1) % lines);
            const unsigned* there = on_device(next);
            long long* cycles = on_device<long long>(1);
            unsigned* out = on_device<unsigned>(1);
            read_twice<<<1, 1>>>(there, lines, cycles, out);
            FINISH();
            figure(name, ("cycles per load, " + std::to_string(kb) + " KB read again").c_str(),
                   double(on_host(cycles, 1)[0]) / lines, "cycles");
        }
    }

    const auto address = [&](const char* name, auto launch) {
        launch();
        FINISH();
        const auto found = on_host(out, 2);
        figure(name, "address of dynamic shared memory", found[0], "");
        figure(name, "address mod 1024", found[0] % 1024, "");
        if (found[1]) figure(name, "address of the static array", found[1], "");
    };
    address("no static array", [&] { addresses<<<1, 32, 4096>>>(out); });
    address("after 100 static bytes", [&] { addresses_after_static<<<1, 32, 4096>>>(out); });
    address("after 100 static bytes, __align__(1024)", [&] { addresses_aligned<<<1, 32, 4096>>>(out); });
}
