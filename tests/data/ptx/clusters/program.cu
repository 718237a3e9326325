#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap_halves(const float *in, float *out) {
    __shared__ float tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    cluster.sync();
    float *there = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = there[threadIdx.x];
    cluster.sync();
}

template <int Scale> __global__ void total(const float *in, float *out) {
    __shared__ float sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    cluster.sync();
    float *first = cluster.map_shared_rank(&sum, 0);
    atomicAdd(first, in[blockIdx.x * blockDim.x + threadIdx.x] * Scale);
    cluster.sync();
    if (cluster.thread_rank() == 0) out[blockIdx.x / cluster.num_blocks()] = sum;
}

int main() {
    std::vector<float> a(512);
    for (int i = 0; i < 512; i++) a[i] = i;
    float *in, *out;
    cudaMalloc(&in, 2048);
    cudaMalloc(&out, 2048);
    cudaMemcpy(in, a.data(), 2048, cudaMemcpyHostToDevice);
    swap_halves<<<8, 64>>>(in, out);
    cudaMemcpy(a.data(), out, 2048, cudaMemcpyDeviceToHost);
    printf("%g %g\n", a[0], a[511]);
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 64;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 4;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, total<2>, in, out)));
    cudaMemcpy(a.data(), out, 2048, cudaMemcpyDeviceToHost);
    printf("%g %g\n", a[0], a[1]);
    attribute[0].val.clusterDim.x = 3;
    printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, total<2>, (const float *)in, out)));
}
