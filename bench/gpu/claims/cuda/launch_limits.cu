// Launches at and beyond a limit, and the errors they report.
#include "common.cuh"

__global__ void nothing() {}

// Keeps 96 values live, so 1,024 threads need more registers than an SM has.
__device__ void keep(int rounds, float* out) {
    float kept[96];
#pragma unroll
    for (int i = 0; i < 96; ++i) kept[i] = out[i * 1024 + threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < 96; ++i) kept[i] = fmaf(kept[i], kept[(i + 37) % 96], 1.0f);
    }
#pragma unroll
    for (int i = 0; i < 96; ++i) out[i * 1024 + threadIdx.x] = kept[i];
}
__global__ void many_registers(int rounds, float* out) { keep(rounds, out); }

// The same, compiled for 1,024 threads: some values spill to local memory.
__global__ void __launch_bounds__(1024) bounded(int rounds, float* out) { keep(rounds, out); }

void tell(const std::string& name) {
    const cudaError_t at_once = cudaGetLastError();
    const cudaError_t later = cudaDeviceSynchronize();
    told(name, "cudaGetLastError()", cudaGetErrorString(at_once));
    told(name, "cudaDeviceSynchronize()", cudaGetErrorString(later));
    cudaGetLastError();
}

int main() {
    struct Shape { const char* name; dim3 grid, block; int shared; };
    const Shape shapes[] = {{"block of 1024", {1}, {1024}, 0},
                            {"block of 1025", {1}, {1025}, 0},
                            {"block of 0", {1}, {0}, 0},
                            {"grid of 0", {0}, {32}, 0},
                            {"block of 32 x 32", {1}, {32, 32}, 0},
                            {"block of 32 x 33", {1}, {32, 33}, 0},
                            {"block of 1 x 1 x 64", {1}, {1, 1, 64}, 0},
                            {"block of 1 x 1 x 65", {1}, {1, 1, 65}, 0},
                            {"grid of 1 x 65535", {1, 65535}, {32}, 0},
                            {"grid of 1 x 65536", {1, 65536}, {32}, 0},
                            {"grid of 65536 x 1", {65536}, {32}, 0},
                            {"48 KB of dynamic shared memory", {1}, {32}, 49152},
                            {"48 KB + 1 byte of dynamic shared memory", {1}, {32}, 49153}};
    for (const Shape& shape : shapes) {
        nothing<<<shape.grid, shape.block, shape.shared>>>();
        tell(shape.name);
    }
    float* out = on_device<float>(96 * 1024);
    const auto registers = [](const char* name, auto kernel) {
        cudaFuncAttributes of;
        CHECK(cudaFuncGetAttributes(&of, kernel));
        figure(name, "registers per thread", of.numRegs, "");
        figure(name, "local bytes per thread", double(of.localSizeBytes), "bytes");
        figure(name, "threads per block at most", of.maxThreadsPerBlock, "");
    };
    registers("96 values per thread", many_registers);
    many_registers<<<1, 448>>>(8, out), tell("96 values per thread, block of 448");
    many_registers<<<1, 512>>>(8, out), tell("96 values per thread, block of 512");
    many_registers<<<1, 1024>>>(8, out), tell("96 values per thread, block of 1024");
    registers("96 values per thread, __launch_bounds__(1024)", bounded);
    bounded<<<1, 1024>>>(8, out), tell("96 values per thread, __launch_bounds__(1024), block of 1024");
}
