#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(4, 1, 1) histogram(const unsigned *in, unsigned *out, int n) {
    __shared__ unsigned bins[64];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) bins[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned bin = in[i] % 256;
        unsigned *there = cluster.map_shared_rank(bins, bin / 64);
        atomicAdd(there + bin % 64, 1u);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        atomicAdd(&out[cluster.block_rank() * 64 + i], bins[i]);
}
