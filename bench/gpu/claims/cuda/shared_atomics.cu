// Atomic additions to shared memory by type: SASS instructions, wavefronts, cycles.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "common.cuh"

constexpr int TIMES = 32;

// Each lane adds once; adjacent lanes' addresses are `apart` elements apart.
template <typename T>
__global__ void once(int apart, T value, T* out) {
    __shared__ T words[64];
    words[threadIdx.x * apart] = value;
    __syncwarp();
    atomicAdd(&words[threadIdx.x * apart], value);
    __syncwarp();
    out[threadIdx.x] = words[threadIdx.x * apart];
}

template <typename T>
__global__ void once_used(int apart, T value, T* out) {
    __shared__ T words[64];
    words[threadIdx.x * apart] = value;
    __syncwarp();
    out[threadIdx.x] = atomicAdd(&words[threadIdx.x * apart], value);
}

template <typename T>
__global__ void many(int apart, T value, long long* cycles, T* out) {
    __shared__ T words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = out[i];
    __syncthreads();
    T* mine = &words[threadIdx.x % 32 * apart];
    const long long from = clock64();
#pragma unroll 1
    for (int i = 0; i < TIMES; ++i) atomicAdd(mine, value);
    __syncthreads();
    const long long to = clock64();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = words[i];
    if (threadIdx.x == 0) *cycles = to - from;
}

bool counted;
long long* cycles;

template <typename T>
void type(const std::string& name, T value) {
    T* out = on_device<T>(1024);
    for (int apart : {0, 1, 2}) {
        const std::string where = apart == 0 ? ", one address" : apart == 1 ? ", consecutive" : ", every second";
        if (counted) {
            named(name + where), once<T><<<1, 32>>>(apart, value, out);
            if (apart == 1) named(name + where + ", result used"), once_used<T><<<1, 32>>>(apart, value, out);
            continue;
        }
        for (int warps : {1, 8}) {
            long long found = 1LL << 62;
            for (int run = 0; run < 5; ++run) {
                many<T><<<1, 32 * warps>>>(apart, value, cycles, out);
                FINISH();
                found = std::min(found, on_host(cycles, 1)[0]);
            }
            const std::string what = "cycles per warp's addition, warps: " + std::to_string(warps);
            figure(name + where, what.c_str(), double(found) / TIMES / warps, "cycles");
        }
    }
    CHECK(cudaFree(out));
}

int main(int count, char** values) {
    counted = counting(count, values);
    cycles = on_device<long long>(1);
    type<int>("int", 3);
    type<unsigned long long>("unsigned long long", 3);
    type<float>("float", 1.0f);
    type<double>("double", 1.0);
    type<__half2>("half2", __floats2half2_rn(1, 1));
    type<__nv_bfloat162>("bfloat162", __floats2bfloat162_rn(1, 1));
    FINISH();
}
