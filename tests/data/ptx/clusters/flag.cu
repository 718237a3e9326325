// Release and acquire on a flag in the other block's shared memory; addresses are generic ones.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1) flag(const float *in, float *out) {
    __shared__ float data[32];
    __shared__ unsigned ready;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), other = rank ^ 1;
    if (threadIdx.x == 0) ready = 0;
    cluster.sync();
    float *there = cluster.map_shared_rank(data, other);
    there[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x] * 2;
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    __syncwarp();
    if (threadIdx.x == 0)
        asm volatile("st.release.cluster.u32 [%0], 1;" ::"l"(cluster.map_shared_rank(&ready, other)) : "memory");
    unsigned seen;
    do {
        asm volatile("ld.acquire.cluster.u32 %0, [%1];" : "=r"(seen) : "l"(&ready) : "memory");
    } while (!seen);
    unsigned from;
    asm volatile("getctarank.u64 %0, %1;" : "=r"(from) : "l"(there));
    out[blockIdx.x * 32 + threadIdx.x] = data[threadIdx.x] + from;
    cluster.sync();
}
