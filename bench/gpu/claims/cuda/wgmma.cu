// wgmma: which descriptors give the right product, what a missing fence breaks, throughput by shape and source of A.
#include <cuda_fp16.h>

#include "common.cuh"
#include "mbarrier.cuh"
#include "wgmma.cuh"

constexpr int M = 64, N = 64, K = 64;  // rows of 64 halves: 128 bytes, one row of the 128B swizzle

__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait_all() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

// The descriptor's fields except the address, in bytes; the descriptor stores units of 16.
struct Fields {
    unsigned leading, stride, base_offset, swizzle;  // swizzle: 1 is 128B, 2 is 64B, 3 is 32B, 0 is none
    __host__ __device__ unsigned long long bits() const {
        return (unsigned long long)(leading >> 4 & 0x3fff) << 16 | (unsigned long long)(stride >> 4 & 0x3fff) << 32 |
               (unsigned long long)(base_offset & 7) << 49 | (unsigned long long)(swizzle & 3) << 62;
    }
};

__device__ unsigned long long descriptor(unsigned at, unsigned long long fields) { return fields | (at >> 4 & 0x3fff); }

// Stores a tile with 128-byte rows as a TMA copy in the 128B mode would: swizzled by absolute address.
__device__ void store_swizzled(unsigned at, const __half* from, bool by_address) {
    for (int i = threadIdx.x; i < 64 * 8; i += blockDim.x) {
        const unsigned row = i / 8, chunk = i % 8;
        unsigned to = at + row * 128 + chunk * 16;
        to ^= by_address ? (to >> 7 & 7) << 4 : (row & 7) << 4;
        const uint4 value = reinterpret_cast<const uint4*>(from)[i];
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(value.x), "r"(value.y), "r"(value.z),
                     "r"(value.w) : "memory");
    }
}

// D = A * B^T, both K-major, 128B swizzle; four steps of 16 along K, each 32 bytes further.
template <bool FENCE>
__global__ void __launch_bounds__(128)
product(const __half* a, const __half* b, unsigned long long fields, int past, unsigned step, float* out) {
    extern __shared__ unsigned char memory[];
    const unsigned base = (shared_at(memory) + 1023) / 1024 * 1024 + past, of_a = base, of_b = base + 8192 + 1024;
    store_swizzled(of_a, a + size_t(blockIdx.x % 2) * 4096, true);
    store_swizzled(of_b, b, true);
    if (FENCE) fence_async();
    __syncthreads();
    float d[N / 2] = {};
    begin();
    for (int k = 0; k < 4; ++k)
        multiply<N>(d, descriptor(of_a + k * step, fields), descriptor(of_b + k * step, fields));
    commit();
    wait_all();
    // Thread t of warp w holds rows 16w + t/4 and + 8, of each 8 columns 2*(t%4) and + 1.
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < N / 2; ++i) {
        const int row = 16 * warp + lane / 4 + (i / 2 % 2) * 8, column = i / 4 * 8 + 2 * (lane % 4) + i % 2;
        out[size_t(blockIdx.x) * M * N + row * N + column] = d[i];
    }
}

// Each warpgroup issues wgmmas back to back, AT_ONCE per group.
constexpr int AT_ONCE = 16;

template <int COLUMNS, bool FROM_REGISTERS>
__global__ void __launch_bounds__(256) stream(int rounds, unsigned long long fields, long long* cycles, float* out) {
    extern __shared__ unsigned char memory[];
    const unsigned base = (shared_at(memory) + 1023) / 1024 * 1024;
    for (int i = threadIdx.x; i < (8192 * 2 + COLUMNS * 128) / 4; i += blockDim.x)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + 4 * i), "r"(0) : "memory");
    fence_async();
    __syncthreads();
    const unsigned long long of_a = descriptor(base + 8192 * (threadIdx.x / 128), fields);
    const unsigned long long of_b = descriptor(base + 16384, fields);
    unsigned a[4] = {};
    float d[COLUMNS / 2] = {};
    const long long from = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        begin();
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            if constexpr (FROM_REGISTERS)
                multiply<COLUMNS>(d, a, of_b + 2 * (k % 4));
            else
                multiply<COLUMNS>(d, of_a + 2 * (k % 4), of_b + 2 * (k % 4));
        }
        commit();
        wait_all();
    }
    __syncthreads();
    const long long to = clock64();
    for (int i = 0; i < COLUMNS / 2; ++i) out[threadIdx.x] += d[i];
    if (threadIdx.x == 0) *cycles = to - from;
}

template <int COLUMNS, bool FROM_REGISTERS>
void rate(unsigned long long fields, long long* cycles, float* out) {
    const int rounds = 64, shared = 16384 + COLUMNS * 128 + 1024;
    const auto kernel = stream<COLUMNS, FROM_REGISTERS>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int groups : {1, 2}) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            kernel<<<1, 128 * groups, shared>>>(rounds, fields, cycles, out);
            FINISH();
            found = std::min(found, on_host(cycles, 1)[0]);
        }
        const std::string name = "m64n" + std::to_string(COLUMNS) + "k16, A from " + (FROM_REGISTERS ? "registers" : "shared memory") +
                                 ", warpgroups: " + std::to_string(groups);
        const double all = double(AT_ONCE) * rounds * groups;
        figure(name, "cycles per wgmma", found / all, "cycles");
        figure(name, "FMAs per SM and cycle", all * 64 * COLUMNS * 16 / found, "per cycle");
    }
}

int main() {
    std::vector<__half> a(2 * M * K), b(N * K);
    for (size_t i = 0; i < a.size(); ++i) a[i] = __float2half(float(int(i * 7919 % 17) - 8));
    for (size_t i = 0; i < b.size(); ++i) b[i] = __float2half(float(int(i * 104729 % 13) - 6));
    std::vector<float> right(2 * M * N, 0);
    for (int which = 0; which < 2; ++which)
        for (int i = 0; i < M; ++i)
            for (int j = 0; j < N; ++j)
                for (int k = 0; k < K; ++k)
                    right[which * M * N + i * N + j] += __half2float(a[which * M * K + i * K + k]) * __half2float(b[j * K + k]);
    const __half *in_a = on_device(a), *in_b = on_device(b);
    const int blocks = 132 * 8;
    float* out = on_device<float>(size_t(blocks) * M * N);
    const auto wrong = [&](auto kernel, int grid, Fields fields, int past, unsigned step) {
        kernel<<<grid, 128, 32768>>>(in_a, in_b, fields.bits(), past, step, out);
        FINISH();
        const auto found = on_host(out, size_t(grid) * M * N);
        size_t count = 0;
        for (size_t i = 0; i < found.size(); ++i) count += found[i] != right[i / (M * N) % 2 * M * N + i % (M * N)];
        return double(count);
    };
    CHECK(cudaFuncSetAttribute(product<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 32768));
    CHECK(cudaFuncSetAttribute(product<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, 32768));
    const Fields good = {16, 1024, 0, 1};
    struct Try { const char* name; Fields fields; int past; unsigned step; };
    const Try tries[] = {{"128B, stride 1024", good, 0, 32},
                         {"128B, stride 1024, leading 0", {0, 1024, 0, 1}, 0, 32},
                         {"128B, stride 1024, leading 8192", {8192, 1024, 0, 1}, 0, 32},
                         {"128B, stride 128", {16, 128, 0, 1}, 0, 32},
                         {"128B, stride 512", {16, 512, 0, 1}, 0, 32},
                         {"no swizzle in the descriptor", {16, 1024, 0, 0}, 0, 32},
                         {"64B in the descriptor", {16, 1024, 0, 2}, 0, 32},
                         {"32B in the descriptor", {16, 1024, 0, 3}, 0, 32},
                         {"128B, steps of 16 bytes along K", good, 0, 16},
                         {"128B, steps of 128 bytes along K", good, 0, 128},
                         {"128B, tiles 128 bytes past, base offset 0", good, 128, 32},
                         {"128B, tiles 128 bytes past, base offset 1", {16, 1024, 1, 1}, 128, 32},
                         {"128B, tiles 512 bytes past, base offset 0", good, 512, 32},
                         {"128B, tiles 512 bytes past, base offset 4", {16, 1024, 4, 1}, 512, 32}};
    for (const Try& one : tries) {
        figure(one.name, "wrong elements of 4096", wrong(product<true>, 1, one.fields, one.past, one.step), "");
        char bits[24];
        std::snprintf(bits, sizeof bits, "%016llx", one.fields.bits());
        told(one.name, "descriptor without its address", bits);
    }
    double all = 0;
    for (int run = 0; run < 20; ++run) all += wrong(product<false>, blocks, good, 0, 32);
    figure("no fence.proxy.async before wgmma", "wrong elements of 20 * 1056 * 4096", all, "words");
    all = 0;
    for (int run = 0; run < 20; ++run) all += wrong(product<true>, blocks, good, 0, 32);
    figure("fence.proxy.async before wgmma", "wrong elements of 20 * 1056 * 4096", all, "words");

    long long* cycles = on_device<long long>(1);
    rate<64, false>(good.bits(), cycles, out);
    rate<64, true>(good.bits(), cycles, out);
    rate<128, false>(good.bits(), cycles, out);
    rate<128, true>(good.bits(), cycles, out);
    rate<256, false>(good.bits(), cycles, out);
    rate<256, true>(good.bits(), cycles, out);
}
