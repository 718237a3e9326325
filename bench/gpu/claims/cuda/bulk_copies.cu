// Bulk copies (TMA): what an mbarrier counts, what each wait guarantees, what a missing fence breaks.
#include <cooperative_groups.h>

#include "common.cuh"
#include "mbarrier.cuh"

namespace cg = cooperative_groups;

constexpr int WORDS = 4096, BYTES = 4 * WORDS;

// --- Phases and parity of an mbarrier that expects one arrival. ---
__global__ void parities(int* out) {
    __shared__ __align__(8) unsigned long long memory;
    const unsigned barrier = shared_at(&memory);
    init(barrier, 1);
    for (int phase = 0; phase < 3; ++phase) {
        out[2 * phase] = passed(barrier, 0);
        out[2 * phase + 1] = passed(barrier, 1);
        arrive(barrier);
    }
}

// --- A load of BYTES, by expected bytes and arrivals: does the phase complete? ---
__global__ void expected(unsigned bytes, int arrivals, const unsigned* in, int* out) {
    extern __shared__ __align__(128) unsigned tile[];
    __shared__ __align__(8) unsigned long long memory;
    const unsigned barrier = shared_at(&memory);
    init(barrier, arrivals);
    arrive_and_expect(barrier, bytes);
    copy_in(shared_at(tile), in, BYTES, barrier);
    out[0] = wait(barrier, 0);
    int right = 0;
    for (int i = 0; i < WORDS; ++i) right += tile[i] == in[i];
    out[1] = right;
    for (const long long until = clock64() + 1000000; clock64() < until;) {}  // until the copy ends
}

// --- One multicast load for a cluster: how many bytes does each block's barrier count? ---
__global__ void multicast(unsigned bytes, const unsigned* in, int* out) {
    extern __shared__ __align__(128) unsigned tile[];
    __shared__ __align__(8) unsigned long long memory;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned barrier = shared_at(&memory), rank = cluster.block_rank();
    if (threadIdx.x == 0) {
        init(barrier, 1);
        arrive_and_expect(barrier, bytes);
    }
    cluster.sync();
    if (rank == 0 && threadIdx.x == 0)
        copy_in_multicast(shared_at(tile), in, BYTES, barrier, (unsigned short)((1u << cluster.num_blocks()) - 1));
    if (threadIdx.x == 0) {
        out[2 * rank] = wait(barrier, 0);
        int right = 0;
        for (int i = 0; i < WORDS; ++i) right += tile[i] == in[i];
        out[2 * rank + 1] = right;
    }
    cluster.sync();
}

// --- Stores, then a bulk copy of the stored words, with and without the proxy fence. ---
template <bool FENCE, bool BARRIER>
__global__ void store_and_copy(int rounds, unsigned* out, int* wrong) {
    extern __shared__ __align__(128) unsigned tile[];
    unsigned* mine = out + size_t(blockIdx.x) * WORDS;
    int stale = 0;
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = 0;
    fence_async();
    __syncthreads();
    for (int round = 1; round <= rounds; ++round) {
        for (int i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = round;
        if (FENCE) fence_async();
        if (BARRIER) __syncthreads();
        if (threadIdx.x == 0) {
            copy_out(mine, shared_at(tile), BYTES);
            wait_group();
        }
        __syncthreads();
        for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
            stale += *reinterpret_cast<volatile unsigned*>(mine + i) != unsigned(round);
        __syncthreads();
    }
    if (stale) atomicAdd(wrong, stale);
}

// --- One lane stores 16 bytes and immediately copies them: does the copy see them? ---
template <bool FENCE>
__global__ void store_and_copy_alone(int rounds, uint4* out, int* wrong) {
    __shared__ __align__(128) uint4 words[32];
    if (threadIdx.x % 32) return;
    const unsigned warp = threadIdx.x / 32, at = shared_at(&words[warp]);
    uint4* mine = out + blockIdx.x * 32 + warp;
    int stale = 0;
    for (unsigned round = 1; round <= unsigned(rounds); ++round) {
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(round) : "memory");
        if (FENCE) fence_async();
        copy_out(mine, at, 16);
        wait_group();
        const volatile unsigned* there = reinterpret_cast<const volatile unsigned*>(mine);
        stale += there[0] != round || there[3] != round;
    }
    if (stale) atomicAdd(wrong, stale);
}

// --- The source is overwritten, last word first, after one of three waits. ---
enum Wait { NONE, READ, WHOLE };
template <Wait WAIT>
__device__ void wait_for_copy() {
    if (WAIT == READ) wait_group_read();
    if (WAIT == WHOLE) wait_group();
}

template <Wait WAIT>
__global__ void overwrite(int rounds, unsigned* out, int* found) {
    extern __shared__ __align__(128) unsigned tile[];
    unsigned* mine = out + size_t(blockIdx.x) * WORDS;
    int overwritten = 0;
    for (int round = 1; round <= rounds; ++round) {
        for (int i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = round;
        fence_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            copy_out(mine, shared_at(tile), BYTES);
            wait_for_copy<WAIT>();
        }
        __syncthreads();
        for (int i = WORDS - 1 - threadIdx.x; i >= 0; i -= blockDim.x) tile[i] = ~0u;
        if (threadIdx.x == 0) wait_group();
        __syncthreads();
        for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
            overwritten += *reinterpret_cast<volatile unsigned*>(mine + i) != unsigned(round);
        __syncthreads();
    }
    if (overwritten) atomicAdd(found, overwritten);
}

// --- Is the destination visible to the thread that waited? It reads the last word. ---
template <Wait WAIT>
__global__ void read_back(int rounds, unsigned* out, int* found) {
    extern __shared__ __align__(128) unsigned tile[];
    unsigned* mine = out + size_t(blockIdx.x) * WORDS;
    int late = 0;
    for (int round = 1; round <= rounds; ++round) {
        for (int i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = round;
        fence_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            copy_out(mine, shared_at(tile), BYTES);
            wait_for_copy<WAIT>();
            late += *reinterpret_cast<volatile unsigned*>(mine + WORDS - 1) != unsigned(round);
            wait_group();
        }
        __syncthreads();
    }
    if (late) atomicAdd(found, late);
}

// --- Alignment and size. ---
__global__ void misplaced(int shared_past, int global_past, unsigned bytes, const unsigned char* in, int* out) {
    extern __shared__ __align__(128) unsigned char raw[];
    __shared__ __align__(8) unsigned long long memory;
    const unsigned barrier = shared_at(&memory);
    init(barrier, 1);
    arrive_and_expect(barrier, bytes);
    copy_in(shared_at(raw) + shared_past, in + global_past, bytes, barrier);
    out[0] = wait(barrier, 0);
}

// --- Latency of one load by size. ---
__global__ void timed(unsigned bytes, const unsigned char* in, long long* cycles) {
    extern __shared__ __align__(128) unsigned char raw[];
    __shared__ __align__(8) unsigned long long memory;
    const unsigned barrier = shared_at(&memory);
    init(barrier, 1);
    for (int round = 0; round < 4; ++round) {  // the last iteration counts
        const long long from = clock64();
        arrive_and_expect(barrier, bytes);
        copy_in(shared_at(raw), in, bytes, barrier);
        while (!passed(barrier, round % 2)) {}
        *cycles = clock64() - from;
    }
}

int main(int many, char** values) {
    const unsigned char* bytes = on_device(std::vector<unsigned char>(1 << 20, 7));
    int* out = on_device<int>(64);
    if (many == 5) {  // `bulk_copies misplaced SHARED GLOBAL BYTES`
        misplaced<<<1, 1, 16384>>>(std::atoi(values[2]), std::atoi(values[3]), unsigned(std::atoi(values[4])), bytes, out);
        FINISH();
        std::printf(on_host(out, 1)[0] ? "the copy completed\n" : "no error, but the copy never completed\n");
        return 0;
    }
    if (many == 3) {  // `bulk_copies expect BYTES`: fewer than the copy delivers
        std::vector<unsigned> numbers(WORDS);
        for (int i = 0; i < WORDS; ++i) numbers[i] = i + 1;
        expected<<<1, 1, BYTES>>>(unsigned(std::atoi(values[2])), 1, on_device(numbers), out);
        FINISH();
        std::printf(on_host(out, 1)[0] ? "phase 0 completes\n" : "phase 0 never completes\n");
        return 0;
    }
    parities<<<1, 1>>>(out);
    FINISH();
    const auto seen = on_host(out, 6);
    for (int phase = 0; phase < 3; ++phase)
        for (int parity : {0, 1})
            told("mbarrier after " + std::to_string(phase) + " completed phases",
                 ("wait for parity " + std::to_string(parity)).c_str(), seen[2 * phase + parity] ? "passes" : "waits");

    std::vector<unsigned> numbers(WORDS);
    for (int i = 0; i < WORDS; ++i) numbers[i] = i + 1;
    const unsigned* in = on_device(numbers);
    const auto load = [&](const char* name, unsigned expected_bytes, int arrivals) {
        expected<<<1, 1, BYTES>>>(expected_bytes, arrivals, in, out);
        const cudaError_t error = cudaDeviceSynchronize();
        told(name, "phase 0", error != cudaSuccess ? cudaGetErrorString(error) : on_host(out, 1)[0] ? "completes" : "never completes");
        if (error == cudaSuccess) figure(name, "right words of 4096", on_host(out, 2)[1], "");
    };
    load("16,384 bytes, 16,384 expected, 1 arrival", BYTES, 1);
    load("16,384 bytes, 16,385 expected, 1 arrival", BYTES + 1, 1);
    load("16,384 bytes, 16,384 expected, 2 arrivals of which 1 comes", BYTES, 2);

    CHECK(cudaFuncSetAttribute(multicast, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (int blocks : {2, 4, 8})
        for (int part : {1, 2}) {  // the tile, or twice as many bytes
            CHECK(cudaMemset(out, 0, 256));
            cudaLaunchConfig_t config = {};
            config.gridDim = dim3(blocks), config.blockDim = dim3(32), config.dynamicSmemBytes = BYTES;
            cudaLaunchAttribute cluster = {};
            cluster.id = cudaLaunchAttributeClusterDimension;
            cluster.val.clusterDim.x = blocks, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
            config.attrs = &cluster, config.numAttrs = 1;
            CHECK(cudaLaunchKernelEx(&config, multicast, unsigned(BYTES * part), in, out));
            FINISH();
            const auto found = on_host(out, 2 * blocks);
            int completed = 0, right = 0;
            for (int block = 0; block < blocks; ++block) completed += found[2 * block], right += found[2 * block + 1] == WORDS;
            const std::string name = "multicast to " + std::to_string(blocks) + ", each expects " +
                                     (part == 1 ? "the tile's bytes" : "twice the tile's bytes");
            figure(name, "blocks whose phase completes", completed, "");
            figure(name, "blocks with the right tile", right, "");
        }

    unsigned* to = on_device<unsigned>(size_t(132) * WORDS);
    const int rounds = 200;
    const auto stale = [&](const char* name, auto kernel, int threads) {
        CHECK(cudaMemset(out, 0, 256));
        kernel<<<132, threads, BYTES>>>(rounds, to, out);
        FINISH();
        figure(name, "stale words of 132 * 200 * 4096", on_host(out, 1)[0], "words");
    };
    stale("fence.proxy.async and barrier, 256 threads", store_and_copy<true, true>, 256);
    stale("barrier alone, 256 threads", store_and_copy<false, true>, 256);
    stale("barrier alone, 1024 threads", store_and_copy<false, true>, 1024);
    stale("fence.proxy.async, no barrier, 256 threads", store_and_copy<true, false>, 256);
    const auto counts = [&](const std::string& name, const char* what, const char* unit, auto launch) {
        CHECK(cudaMemset(out, 0, 256));
        launch();
        FINISH();
        figure(name, what, on_host(out, 1)[0], unit);
    };
    uint4* alone = reinterpret_cast<uint4*>(to);
    const char* of_one = "stale copies of 132 * 8 * 20000";
    counts("one lane stores and copies 16 bytes, fence.proxy.async", of_one, "copies",
           [&] { store_and_copy_alone<true><<<132, 256>>>(20000, alone, out); });
    counts("one lane stores and copies 16 bytes, no fence", of_one, "copies",
           [&] { store_and_copy_alone<false><<<132, 256>>>(20000, alone, out); });
    const auto source = [&](const char* name, auto overwriting, auto reading) {
        counts(name, "overwritten words that were copied, of 132 * 200 * 4096", "words",
               [&] { overwriting<<<132, 256, BYTES>>>(rounds, to, out); });
        counts(name, "copies of 26400 whose last word was not there yet", "copies",
               [&] { reading<<<132, 256, BYTES>>>(rounds, to, out); });
    };
    source("no wait", overwrite<NONE>, read_back<NONE>);
    source("wait_group.read", overwrite<READ>, read_back<READ>);
    source("wait_group", overwrite<WHOLE>, read_back<WHOLE>);

    long long* cycles = on_device<long long>(1);
    CHECK(cudaFuncSetAttribute(timed, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 * 1024));
    for (int size : {16, 1024, 4096, 16384, 65536, 131072}) {
        timed<<<1, 1, 128 * 1024>>>(size, bytes, cycles);
        FINISH();
        figure("one load of " + std::to_string(size) + " bytes, from L2", "cycles", double(on_host(cycles, 1)[0]), "cycles");
    }
}
