// Thread block clusters: accepted sizes, how many fit, bandwidth of distributed shared memory.
#include <cooperative_groups.h>

#include "common.cuh"

namespace cg = cooperative_groups;

constexpr int WORDS = 4096, ROUNDS = 64, AT_ONCE = 8;

__global__ void nothing(unsigned* out) {
    extern __shared__ unsigned memory[];
    if (out == nullptr) memory[threadIdx.x] = 1;
}

// Every block reads the shared memory of the block `away` ranks further, 16 bytes per lane.
__global__ void read_neighbors(int away, long long* cycles, unsigned* out) {
    extern __shared__ uint4 mine[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < WORDS / 4; i += blockDim.x) mine[i] = make_uint4(i, i, i, i);
    cluster.sync();
    const uint4* there = cluster.map_shared_rank(mine, (cluster.block_rank() + away) % cluster.num_blocks());
    unsigned sum = 0;
    const long long from = clock64();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; ++round) {
        uint4 found[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            const unsigned at = (threadIdx.x + (i + round) * blockDim.x) % (WORDS / 4);
            found[i] = there[at];
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) sum += found[i].x + found[i].y + found[i].z + found[i].w;
    }
    __syncthreads();
    const long long to = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0) cycles[blockIdx.x] = to - from;
    cluster.sync();
}

// The same from the block's own shared memory, through ordinary shared addresses.
__global__ void read_own(long long* cycles, unsigned* out) {
    extern __shared__ uint4 mine[];
    for (int i = threadIdx.x; i < WORDS / 4; i += blockDim.x) mine[i] = make_uint4(i, i, i, i);
    __syncthreads();
    unsigned sum = 0;
    const long long from = clock64();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; ++round) {
        uint4 found[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) found[i] = mine[(threadIdx.x + (i + round) * blockDim.x) % (WORDS / 4)];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) sum += found[i].x + found[i].y + found[i].z + found[i].w;
    }
    __syncthreads();
    const long long to = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0) cycles[blockIdx.x] = to - from;
}

// Times the barrier of the whole cluster.
__global__ void cluster_barriers(long long* cycles) {
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    const long long from = clock64();
    for (int i = 0; i < 256; ++i) cluster.sync();
    const long long to = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = to - from;
}

// Without the first barrier a block reads words that the other block has not stored yet.
template <bool BARRIER>
__global__ void __cluster_dims__(2) read_early(int slow, unsigned round, unsigned* wrong) {
    __shared__ unsigned mine[256];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (int(rank) == slow)
        for (const long long until = clock64() + 5000; clock64() < until;) {}
    mine[threadIdx.x] = round;
    if (BARRIER) cluster.sync();
    else __syncthreads();
    const volatile unsigned* there = cluster.map_shared_rank(mine, rank ^ 1);
    const unsigned found = there[threadIdx.x];
    cluster.sync();
    if (found != round) atomicAdd(wrong, 1u);
}

// Without the last barrier a block exits while the other block still reads its shared memory.
template <bool BARRIER>
__global__ void __cluster_dims__(2) read_late(unsigned* wrong) {
    __shared__ unsigned mine[256];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    mine[threadIdx.x] = 7;
    cluster.sync();
    if (rank == 0) {
        for (const long long until = clock64() + 100000; clock64() < until;) {}
        const volatile unsigned* there = cluster.map_shared_rank(mine, 1);
        if (there[threadIdx.x] != 7) atomicAdd(wrong, 1u);
    }
    if (BARRIER) cluster.sync();
}

int missing(const std::string& which) {
    unsigned* wrong = on_device<unsigned>(1);
    if (which == "early") for (int round = 1; round < 100; ++round) read_early<false><<<264, 256>>>(1, round, wrong);
    if (which == "early-barrier") for (int round = 1; round < 100; ++round) read_early<true><<<264, 256>>>(1, round, wrong);
    if (which == "late") for (int round = 1; round < 10; ++round) read_late<false><<<2640, 256>>>(wrong);
    if (which == "late-barrier") for (int round = 1; round < 10; ++round) read_late<true><<<2640, 256>>>(wrong);
    FINISH();
    std::printf(on_host(wrong, 1)[0] ? "wrong words were read\n" : "all words were right\n");
    return 0;
}

struct Launch {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    Launch(int blocks, int threads, int shared, int cluster) {
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(threads);
        config.dynamicSmemBytes = shared;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = cluster;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        config.attrs = &attribute;
        config.numAttrs = 1;
    }
};

std::string launched(int cluster) {
    Launch launch(2 * cluster, 128, 0, cluster);
    cudaError_t found = cudaLaunchKernelEx(&launch.config, nothing, static_cast<unsigned*>(nullptr) + 1);
    if (found == cudaSuccess) found = cudaDeviceSynchronize();
    cudaGetLastError();
    return cudaGetErrorString(found);
}

int main(int many, char** values) {
    if (many == 3) return missing(values[2]);  // `clusters missing early`
    for (int size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16})
        told("a cluster of " + std::to_string(size), "launch", launched(size));
    Launch uneven(10, 128, 0, 4);
    told("a cluster of 4 in a grid of 10", "launch",
         cudaGetErrorString(cudaLaunchKernelEx(&uneven.config, nothing, static_cast<unsigned*>(nullptr) + 1)));
    cudaGetLastError();
    CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (int size : {8, 16, 17, 32})
        told("a cluster of " + std::to_string(size) + ", non-portable allowed", "launch", launched(size));
    for (int shared : {0, 48, 100, 200, 227}) {
        for (int size : {1, 2, 4, 8, 16}) {
            Launch launch(size, 256, shared * 1024, size);
            int clusters = 0;
            const cudaError_t said = cudaOccupancyMaxActiveClusters(&clusters, nothing, &launch.config);
            const std::string name = std::to_string(size) + " blocks of 256, " + std::to_string(shared) + " KB each";
            if (said == cudaSuccess) {
                figure(name, "clusters at once", clusters, "");
                figure(name, "blocks at once", clusters * size, "");
            } else
                told(name, "clusters at once", cudaGetErrorString(said));
            cudaGetLastError();
        }
    }
    Launch largest(16, 256, 227 * 1024, 16);
    int most = 0;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&most, nothing, &largest.config));
    figure("227 KB each, non-portable allowed", "largest cluster", most, "");

    long long* cycles = on_device<long long>(16);
    unsigned* out = on_device<unsigned>(16 * 1024);
    const int shared = WORDS * 4;
    CHECK(cudaFuncSetAttribute(read_neighbors, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaFuncSetAttribute(cluster_barriers, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    const auto slowest = [&](int blocks, auto launch) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            launch();
            FINISH();
            const auto all = on_host(cycles, blocks);
            found = std::min(found, *std::max_element(all.begin(), all.end()));
        }
        return double(found);
    };
    for (int threads : {32, 128, 1024}) {
        const double bytes = double(ROUNDS) * AT_ONCE * threads * 16;
        const std::string name = std::to_string(threads) + " threads per block, 16 bytes each";
        double took = slowest(1, [&] { read_own<<<1, threads, shared>>>(cycles, out); });
        figure(name, "own shared memory: bytes per cycle and block", bytes / took, "per cycle");
        for (int size : {2, 4, 8, 16}) {
            Launch launch(size, threads, shared, size);
            took = slowest(size, [&] { CHECK(cudaLaunchKernelEx(&launch.config, read_neighbors, 1, cycles, out)); });
            const std::string what = "cluster of " + std::to_string(size) + ", next block's: bytes per cycle and block";
            figure(name, what.c_str(), bytes / took, "per cycle");
        }
    }
    for (int size : {1, 2, 4, 8, 16}) {
        Launch launch(size, 256, 0, size);
        const double took = slowest(size, [&] { CHECK(cudaLaunchKernelEx(&launch.config, cluster_barriers, cycles)); });
        figure("cluster.sync(), blocks of 256", (std::to_string(size) + " blocks").c_str(), took / 256, "cycles");
    }
}
