// Which sizes of blocks a device refuses, and how: nvcc -arch=sm_90 launch_limits.cu, then run it.
#include <cstdio>
template <int N> __global__ void k(int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = N;
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void held(int *out) {
    extern __shared__ int s[];
    __shared__ int own[4096];
    s[threadIdx.x] = own[threadIdx.x] = 1;
    out[threadIdx.x] = s[threadIdx.x] + own[threadIdx.x];
}
__global__ void __launch_bounds__(128) few(int *out) { out[threadIdx.x] = 1; }
int *out;
void told(const char *name, cudaError_t error) {
    cudaError_t last = cudaGetLastError();
    printf("%s,%d,%d\n", name, (int)error, (int)last);
}
#define LAUNCH(kernel, grid, block, shared) \
    kernel<<<grid, block, shared>>>(out); \
    told(#kernel " " #grid " " #block " " #shared, cudaSuccess)
#define SET(kernel, bytes) \
    told("set " #kernel " " #bytes, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))
template <class K> void limit(const char *name, K kernel) {
    cudaFuncAttributes found;
    cudaFuncGetAttributes(&found, kernel);
    printf("limit of %s,%d\n", name, found.maxDynamicSharedSizeBytes);
}
int main() {
    cudaMalloc(&out, 8192);
    limit("k", k<0>);
    LAUNCH(k<0>, 1, 32, 49152);
    LAUNCH(k<0>, 1, 32, 49153);
    LAUNCH(k<0>, 1, 32, 300 << 10);
    LAUNCH(k<0>, 1, 32, 1 << 30);
    SET(k<0>, 300 << 10);
    SET(k<0>, 232449);
    SET(k<0>, -1);
    limit("k", k<0>);
    SET(k<0>, 232448);
    limit("k", k<0>);
    LAUNCH(k<0>, 1, 32, 232448);
    LAUNCH(k<0>, 1, 32, 232449);
    LAUNCH(k<1>, 1, 32, 49153);
    SET((const void *)k<1>, 60000);
    LAUNCH(k<1>, 1, 32, 60000);
    LAUNCH(k<1>, 1, 32, 60001);
    SET(k<1>, 300 << 10);
    LAUNCH(k<1>, 1, 32, 60000);
    SET(k<1>, 1000);
    limit("k", k<1>);
    LAUNCH(k<1>, 1, 32, 1000);
    LAUNCH(k<1>, 1, 32, 2000);
    LAUNCH(k<1>, 1, 32, 50000);
    limit("held", held);
    LAUNCH(held, 1, 32, 32768);
    LAUNCH(held, 1, 32, 32769);
    SET(held, 232448 - 16384 + 1);
    SET(held, 232448 - 16384);
    LAUNCH(held, 1, 32, 232448 - 16384);

    void *given[] = {&out};
    cudaLaunchConfig_t how = {};
    how.gridDim = how.blockDim = dim3(1);
    how.dynamicSmemBytes = 49153;
    told("cudaLaunchKernel", cudaLaunchKernel((void *)k<2>, dim3(1), dim3(1), given, 49153, 0));
    told("cudaLaunchKernelEx", cudaLaunchKernelEx(&how, k<2>, out));
    told("cooperative", cudaLaunchCooperativeKernel((void *)k<2>, dim3(1), dim3(1), given, 49153, 0));
    SET(k<3>, 100000);
    told("cudaLaunchKernel", cudaLaunchKernel((void *)k<3>, dim3(1), dim3(1), given, 100000, 0));
    how.dynamicSmemBytes = 100000;
    told("cudaLaunchKernelEx", cudaLaunchKernelEx(&how, k<3>, out));
    told("cooperative", cudaLaunchCooperativeKernel((void *)k<3>, dim3(1), dim3(1), given, 100000, 0));

    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaKernelNodeParams asked = {};
    asked.func = (void *)k<2>;
    asked.gridDim = asked.blockDim = dim3(1);
    asked.sharedMemBytes = 49153;
    asked.kernelParams = given;
    told("node", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &asked));
    asked.sharedMemBytes = 49152;
    told("node", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &asked));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    k<2><<<1, 32, 49153, stream>>>(out);
    told("captured", cudaSuccess);
    told("end of capture", cudaStreamEndCapture(stream, &graph));

    LAUNCH(k<2>, 1, 1025, 0);
    LAUNCH(k<2>, 1, dim3(1, 1, 65), 0);
    LAUNCH(k<2>, dim3(1, 65536), 32, 0);
    LAUNCH(k<2>, 0, 32, 0);
    LAUNCH(k<2>, 1, 1025, 49153);
    LAUNCH(few, 1, 256, 0);
    int blocks = -1;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k<2>, 32, 60000);
    printf("occupancy %d\n", blocks);
    told("occupancy", error);
    told("all", cudaDeviceSynchronize());
}
