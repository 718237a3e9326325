// Memory latency by dependent loads of one thread; bandwidth by access pattern.
#include <cooperative_groups.h>

#include <numeric>
#include <random>

#include "common.cuh"

namespace cg = cooperative_groups;

constexpr int STEPS = 4096;
constexpr unsigned NEVER = 0x9e3779b9;  // appears in no word, so nothing is ever written

// --- Latency: each word holds the index of the next one to read. ---

__global__ void chase_global(const unsigned* next, int steps, long long* cycles, unsigned* out) {
    unsigned at = 0;
    for (int i = 0; i < STEPS; ++i) at = next[at];  // warms the caches
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) at = next[at];
    const long long to = clock64();
    *out = at;
    *cycles = to - from;
}

__global__ void walk(const unsigned* next, int steps, unsigned* out) {
    unsigned at = 0;
    for (int i = 0; i < steps; ++i) at = next[at];
    *out = at;
}

__global__ void chase_shared(long long* cycles, unsigned* out) {
    __shared__ unsigned next[1024];
    for (int i = 0; i < 1024; ++i) next[i] = (i + 33) % 1024;
    unsigned at = 0;
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; ++i) at = next[at];
    const long long to = clock64();
    *out = at;
    *cycles = to - from;
}

__constant__ unsigned constants[16384];

__global__ void chase_constant(int words, int steps, long long* cycles, unsigned* out) {
    unsigned at = 0;
    for (int i = 0; i < words; ++i) at = constants[at];
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) at = constants[at];
    const long long to = clock64();
    *out = at;
    *cycles = to - from;
}

// The lanes of a warp read this many different words of constant memory.
__global__ void spread_constant(int different, int apart, int steps, long long* cycles, unsigned* out) {
    unsigned at = threadIdx.x % different * apart;
    for (int i = 0; i < 1024; ++i) at = constants[at];
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) at = constants[at];
    const long long to = clock64();
    out[threadIdx.x] = at;
    if (threadIdx.x == 0) *cycles = to - from;
}

__global__ void __cluster_dims__(2) chase_distributed(int away, long long* cycles, unsigned* out) {
    __shared__ unsigned next[1024];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + 33) % 1024;
    cluster.sync();
    const unsigned* there = cluster.map_shared_rank(next, (cluster.block_rank() + away) % 2);
    if (cluster.block_rank() == 0) {
        unsigned at = 0;
        const long long from = clock64();
#pragma unroll 16
        for (int i = 0; i < STEPS; ++i) at = there[at];
        const long long to = clock64();
        *out = at;
        *cycles = to - from;
    }
    cluster.sync();
}

__global__ void chase_global_atomic(unsigned* next, unsigned nothing, long long* cycles, unsigned* out) {
    unsigned at = 0;
    for (int i = 0; i < 64; ++i) at = atomicAdd(&next[at], nothing);
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; ++i) at = atomicAdd(&next[at], nothing);
    const long long to = clock64();
    *out = at;
    *cycles = to - from;
}

__global__ void chase_shared_atomic(unsigned nothing, long long* cycles, unsigned* out) {
    __shared__ unsigned next[1024];
    for (int i = 0; i < 1024; ++i) next[i] = (i + 33) % 1024;
    unsigned at = 0;
    const long long from = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; ++i) at = atomicAdd(&next[at], nothing);
    const long long to = clock64();
    *out = at;
    *cycles = to - from;
}

// Returns a random cycle through all 128-byte lines of a buffer.
std::vector<unsigned> random_cycle(size_t bytes) {
    const size_t lines = bytes / 128;
    std::vector<unsigned> order(lines), next(bytes / 4, 0);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
    for (size_t i = 0; i < lines; ++i) next[32 * size_t(order[i])] = 32 * order[(i + 1) % lines];
    return next;
}

void latencies() {
    long long* cycles = on_device<long long>(1);
    unsigned* out = on_device<unsigned>(32);
    const size_t flush_bytes = 512 << 20;
    char* flush = on_device<char>(flush_bytes);
    const auto least = [&](const char* what, int steps, auto launch) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            launch();
            FINISH();
            found = std::min(found, on_host(cycles, 1)[0]);
        }
        figure("latency", what, double(found) / steps, "cycles");
    };
    for (auto [what, bytes] : {std::pair{"L1 hit", size_t(16) << 10}, {"L2 hit, 4 MB", size_t(4) << 20},
                               {"L2 hit, 24 MB", size_t(24) << 20}, {"DRAM, 512 MB", size_t(512) << 20}}) {
        unsigned* next = on_device(random_cycle(bytes));
        const int steps = bytes == size_t(24) << 20 ? int(bytes / 128) : 1 << 15;
        if (bytes > 100 << 20)
            least(what, steps, [&] {
                CHECK(cudaMemset(flush, 0, flush_bytes));
                chase_global<<<1, 1>>>(next, steps, cycles, out);
            });
        else {
            walk<<<1, 1>>>(next, int(bytes / 128), out);
            least(what, steps, [&] { chase_global<<<1, 1>>>(next, steps, cycles, out); });
        }
        CHECK(cudaFree(next));
    }
    least("shared", STEPS, [&] { chase_shared<<<1, 1>>>(cycles, out); });
    for (int bytes : {1 << 10, 2 << 10, 4 << 10, 16 << 10, 64 << 10}) {
        const int words = bytes / 4;
        std::vector<unsigned> next(words);
        for (int i = 0; i < words; ++i) next[i] = (i + 33) % words;
        CHECK(cudaMemcpyToSymbol(constants, next.data(), bytes));
        const std::string what = "constant, " + std::to_string(bytes >> 10) + " KB, hit";
        least(what.c_str(), 1 << 14, [&] { chase_constant<<<1, 1>>>(words, 1 << 14, cycles, out); });
    }
    std::vector<unsigned> same(1024);  // each word points to itself, so the lanes stay apart
    std::iota(same.begin(), same.end(), 0u);
    CHECK(cudaMemcpyToSymbol(constants, same.data(), 4096));
    for (int apart : {1, 32})
        for (int different : {1, 2, 4, 8, 16, 32}) {
            if (different * apart > 512) continue;  // exceeds the first level
            const std::string what = "constant, a warp reads " + std::to_string(different) + " different words" +
                                     (apart == 1 ? "" : ", 128 bytes apart");
            least(what.c_str(), STEPS, [&] { spread_constant<<<1, 32>>>(different, apart, STEPS, cycles, out); });
        }
    least("distributed shared, own block", STEPS, [&] { chase_distributed<<<2, 1>>>(0, cycles, out); });
    least("distributed shared, other block of a cluster", STEPS, [&] { chase_distributed<<<2, 1>>>(1, cycles, out); });
    unsigned* words = on_device(random_cycle(16 << 10));
    least("global int atomicAdd with its result used", STEPS,
          [&] { chase_global_atomic<<<1, 1>>>(words, 0, cycles, out); });
    least("shared int atomicAdd with its result used", STEPS, [&] { chase_shared_atomic<<<1, 1>>>(0, cycles, out); });
    CHECK(cudaFree(words));
    CHECK(cudaFree(flush));
}

// --- Bandwidth: one element per thread, blocks of 256, unless it says otherwise. ---

__global__ void read_strided(const unsigned* in, size_t stride, unsigned* out) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (in[i * stride] == NEVER) *out = 1;
}

__device__ unsigned mix(unsigned i) {  // a bijection that leaves no pattern
    i = (i ^ i >> 16) * 0x85ebca6b;
    i = (i ^ i >> 13) * 0xc2b2ae35;
    return i ^ i >> 16;
}

__global__ void read_random(const unsigned* in, unsigned mask, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[mix(i) & mask] == NEVER) *out = 1;
}

template <typename T>
__global__ void copy(const T* in, T* out) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    out[i] = in[i];
}

// Each thread issues LOADS loads before it uses the first.
template <int LOADS>
__global__ void read_resident(const unsigned* in, size_t words, unsigned* out) {
    const size_t all = gridDim.x * size_t(blockDim.x);
    unsigned sum = 0;
#pragma unroll 1
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < words; i += LOADS * all) {
        unsigned found[LOADS];
#pragma unroll
        for (int load = 0; load < LOADS; ++load) found[load] = in[i + load * all];
#pragma unroll
        for (int load = 0; load < LOADS; ++load) sum += found[load];
    }
    if (sum == NEVER) *out = sum;
}

double gigabytes(double bytes, double ms) { return bytes / ms / 1e6; }

template <typename T>
void copy_of(const char* what, const char* in, char* out, size_t bytes) {
    const double ms = median_ms([&] {
        copy<<<unsigned(bytes / sizeof(T) / 256), 256>>>(reinterpret_cast<const T*>(in), reinterpret_cast<T*>(out));
    });
    figure("vector", what, gigabytes(2.0 * bytes, ms), "GB/s");
}

template <int LOADS>
void read_of(int blocks, int sms, const unsigned* in, size_t bytes, unsigned* out) {
    const int shared = 227 * 1024 / blocks - 1024;  // limits an SM to this many resident blocks
    CHECK(cudaFuncSetAttribute(read_resident<LOADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaFuncSetAttribute(read_resident<LOADS>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, read_resident<LOADS>, 256, shared));
    if (resident != blocks) std::exit(3);
    const size_t once = size_t(LOADS) * blocks * sms * 256, words = bytes / 4 / once * once;
    const double ms = median_ms([&] { read_resident<LOADS><<<blocks * sms, 256, shared>>>(in, words, out); });
    const std::string what = "read, " + std::to_string(blocks) + " resident blocks of 256 per SM (" +
                             std::to_string(blocks * 25 / 2) + " % occupancy), " + std::to_string(LOADS) +
                             (LOADS == 1 ? " load in flight" : " loads in flight");
    figure("occupancy", what.c_str(), gigabytes(4.0 * words, ms), "GB/s");
}

void bandwidths() {
    const size_t gigabyte = size_t(1) << 30;
    char *in = on_device<char>(8 * gigabyte), *out = on_device<char>(gigabyte + 1024);
    const unsigned* words = reinterpret_cast<const unsigned*>(in);
    unsigned* hit = on_device<unsigned>(1);
    double ms = median_ms([&] { CHECK(cudaMemcpyAsync(out, in, gigabyte, cudaMemcpyDeviceToDevice)); });
    figure("bandwidth", "device-to-device copy", gigabytes(2.0 * gigabyte, ms), "GB/s");
    const unsigned threads = 1 << 26;
    for (int stride : {1, 2, 4, 8, 16, 32}) {
        ms = median_ms([&] { read_strided<<<threads / 256, 256>>>(words, stride, hit); });
        const std::string what = "reads of 4 bytes at stride " + std::to_string(stride) + ": useful bytes";
        figure("coalescing", what.c_str(), gigabytes(4.0 * threads, ms), "GB/s");
    }
    for (int offset : {0, 1, 8, 16, 31}) {
        ms = median_ms([&] { copy<<<threads / 256, 256>>>(words + offset, reinterpret_cast<unsigned*>(out)); });
        const std::string what = "copy from an offset of " + std::to_string(offset) + " floats";
        figure("coalescing", what.c_str(), gigabytes(8.0 * threads, ms), "GB/s");
    }
    copy_of<char>("copy, 1 byte per thread", in, out, gigabyte / 2);
    copy_of<float>("copy, 4 bytes per thread", in, out, gigabyte);
    copy_of<float2>("copy, 8 bytes per thread", in, out, gigabyte);
    copy_of<float4>("copy, 16 bytes per thread", in, out, gigabyte);
    ms = median_ms([&] { read_random<<<threads / 256, 256>>>(words, gigabyte / 4 - 1, hit); });
    figure("coalescing", "random reads of 4 bytes from 1 GB: useful bytes", gigabytes(4.0 * threads, ms), "GB/s");
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    for (int blocks : {1, 2, 3, 4, 6, 8}) {
        read_of<1>(blocks, sms, words, gigabyte, hit);
        read_of<4>(blocks, sms, words, gigabyte, hit);
        read_of<8>(blocks, sms, words, gigabyte, hit);
    }
}

int main() {
    latencies();
    bandwidths();
}
