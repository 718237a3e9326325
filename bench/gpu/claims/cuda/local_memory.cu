// Per-thread arrays: in registers, or in local memory because of run-time indices or too few registers.
#include "common.cuh"

constexpr int VALUES = 32;

__device__ float start(int i) { return float(i) * 0.25f; }

// Every index is a constant once the loops are unrolled.
__global__ void constant_index(int rounds, const int*, float* out) {
    float kept[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; ++i) kept[i] = start(i) + out[threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < VALUES; ++i) kept[i] = fmaf(kept[i], 0.5f, 1.0f);
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < VALUES; ++i) sum += kept[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same work, with indices known only at run time.
__global__ void run_time_index(int rounds, const int* order, float* out) {
    float kept[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; ++i) kept[i] = start(i) + out[threadIdx.x];
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < VALUES; ++i) {
            const int which = order[i];
            kept[which] = fmaf(kept[which], 0.5f, 1.0f);
        }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < VALUES; ++i) sum += kept[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 96 live values, with enough registers and with at most 64.
constexpr int MANY = 96;
__device__ void many_values(int rounds, float* out) {
    float kept[MANY];
#pragma unroll
    for (int i = 0; i < MANY; ++i) kept[i] = out[i * 256 + threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < MANY; ++i) kept[i] = fmaf(kept[i], kept[(i + 37) % MANY], 1.0f);
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < MANY; ++i) sum += kept[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(256) registers_enough(int rounds, const int*, float* out) { many_values(rounds, out); }
__global__ void __launch_bounds__(256, 4) registers_64(int rounds, const int*, float* out) { many_values(rounds, out); }

int main(int count, char** values) {
    std::vector<int> order(VALUES);
    for (int i = 0; i < VALUES; ++i) order[i] = (i * 7 + 3) % VALUES;
    const int* which = on_device(order);
    float* out = on_device<float>(1 << 22);
    struct Way { const char* name; void (*kernel)(int, const int*, float*); };
    const Way ways[] = {{"32 values, constant indices", constant_index},
                        {"32 values, indices known at run time", run_time_index},
                        {"96 values, registers enough", registers_enough},
                        {"96 values, __launch_bounds__(256, 4)", registers_64}};
    for (const Way& way : ways) {
        if (counting(count, values)) {
            named(way.name), way.kernel<<<1, 256>>>(2, which, out);
            continue;
        }
        cudaFuncAttributes of;
        CHECK(cudaFuncGetAttributes(&of, way.kernel));
        int blocks = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, way.kernel, 256, 0));
        figure(way.name, "registers per thread", of.numRegs, "");
        figure(way.name, "local bytes per thread", double(of.localSizeBytes), "bytes");
        figure(way.name, "blocks of 256 per SM", blocks, "");
        figure(way.name, "time of 8448 blocks", median_ms([&] { way.kernel<<<132 * 64, 256>>>(64, which, out); }), "ms");
    }
    FINISH();
}
