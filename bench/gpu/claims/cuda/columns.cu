// One warp reads a column or a row of a 32x32 tile; arrays of structs are written and read.
#include <cuda_fp16.h>

#include "common.cuh"

// Every access is volatile: as written, so that one load of the source is one instruction.
template <typename T, int PITCH, int COLUMN>
__global__ void column(float* out) {
    __shared__ volatile T tile[32 * PITCH];
    const T found = tile[threadIdx.x * PITCH + COLUMN];
    out[threadIdx.x] = float(found);
}

__global__ void vector_row(float4* out) {
    __shared__ float4 row[32];
    float4 found;
    const unsigned at = unsigned(__cvta_generic_to_shared(&row[threadIdx.x]));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(found.x), "=f"(found.y), "=f"(found.z), "=f"(found.w) : "r"(at));
    out[threadIdx.x] = found;
}

struct Three { float x, y, z; };
struct alignas(16) Four { float x, y, z, w; };

// Members stored and loaded one by one, as a person writes it and nvcc compiles it: 8 warps.
template <typename S>
__global__ void members(const float* in, float* out) {
    __shared__ S all[256];
    const int t = threadIdx.x, other = (t + 32) % 256;
    all[t].x = in[t];
    all[t].y = in[t + 256];
    all[t].z = in[t + 512];
    __syncthreads();
    out[t] = all[other].x;
    __syncthreads();
    out[t + 256] = all[other].y;
    __syncthreads();
    out[t + 512] = all[other].z;
}

// A whole struct at a time.
__global__ void whole(const float4* in, float4* out) {
    __shared__ float4 all[256];
    const int t = threadIdx.x, other = (t + 32) % 256;
    all[t] = in[t];
    __syncthreads();
    out[t] = all[other];
}

int main() {
    float* out = on_device<float>(4096);
    float* in = on_device<float>(4096);
    named("float, pitch 32"), column<float, 32, 3><<<1, 32>>>(out);
    named("float, pitch 33"), column<float, 33, 3><<<1, 32>>>(out);
    named("double, pitch 32"), column<double, 32, 3><<<1, 32>>>(out);
    named("double, pitch 33"), column<double, 33, 3><<<1, 32>>>(out);
    named("half, pitch 32"), column<short, 32, 3><<<1, 32>>>(out);
    named("half, pitch 33, even column"), column<short, 33, 2><<<1, 32>>>(out);
    named("half, pitch 33, odd column"), column<short, 33, 3><<<1, 32>>>(out);
    named("half, pitch 34"), column<short, 34, 3><<<1, 32>>>(out);
    named("half, pitch 48"), column<short, 48, 3><<<1, 32>>>(out);
    named("row of float4"), vector_row<<<1, 32>>>(reinterpret_cast<float4*>(out));
    named("structs of 12 bytes, by member"), members<Three><<<1, 256>>>(in, out);
    named("structs of 16 bytes, by member"), members<Four><<<1, 256>>>(in, out);
    named("structs of 16 bytes, whole"),
        whole<<<1, 256>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
    CHECK(cudaDeviceSynchronize());
}
