#include <cuda.h>
#include <cudaTypedefs.h>
#include <cstdint>
#include <cstdio>
#include <vector>

static PFN_cuTensorMapEncodeTiled_v12000 encoder() {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
    return (PFN_cuTensorMapEncodeTiled_v12000)found;
}

__device__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void transpose(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
    __shared__ alignas(128) float in[32][32], out[32][32];
    __shared__ alignas(8) uint64_t bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&bar)));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(place(&bar)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(place(in)), "l"(&from), "r"(blockIdx.x * 32), "r"(blockIdx.y * 32), "r"(place(&bar)) : "memory");
    }
    __syncthreads();
    unsigned done = 0;
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(place(&bar)) : "memory");
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i % 32][i / 32] = in[i / 32][i % 32];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                     ::"l"(&to), "r"(blockIdx.y * 32), "r"(blockIdx.x * 32), "r"(place(out)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static CUtensorMap make(float *data, unsigned width, unsigned height) {
    CUtensorMap map;
    cuuint64_t sizes[2] = {width, height}, strides[1] = {width * sizeof(float)};
    cuuint32_t box[2] = {32, 32}, steps[2] = {1, 1};
    CUresult result = encoder()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, sizes, strides, box, steps,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) printf("error %d\n", result);
    return map;
}

int main() {
    const unsigned w = 100, h = 72;
    std::vector<float> a(w * h), b(w * h);
    for (unsigned i = 0; i < w * h; i++) a[i] = i;
    float *in, *out;
    cudaMalloc(&in, w * h * 4);
    cudaMalloc(&out, w * h * 4);
    cudaMemcpy(in, a.data(), w * h * 4, cudaMemcpyHostToDevice);
    transpose<<<dim3(4, 3), 256>>>(make(in, w, h), make(out, h, w));
    cudaMemcpy(b.data(), out, w * h * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++) wrong += b[x * h + y] != a[y * w + x];
    printf("%d wrong\n", wrong);
    make(in, 33, 10);
}
