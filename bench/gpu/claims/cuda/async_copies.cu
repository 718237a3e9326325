// cp.async: cache behavior of .ca and .cg, zero fill, alignment.
#include "common.cuh"

__global__ void filled(int from_bytes, const unsigned char* in, unsigned char* out) {
    __shared__ __align__(16) unsigned char to[16];
    for (int i = 0; i < 16; ++i) to[i] = 0xee;
    const unsigned at = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(in), "r"(from_bytes) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int i = 0; i < 16; ++i) out[i] = to[i];
}

__global__ void misaligned(const unsigned char* in, int past, unsigned char* out) {
    __shared__ __align__(16) unsigned char to[32];
    const unsigned at = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + past) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = to[threadIdx.x % 32];
}

// Copies 16 KB, then loads the same bytes in a chain: L1 hits show that the copy went through L1.
template <bool THROUGH_L1>
__global__ void then_read(const unsigned* next, long long* cycles, unsigned* out) {
    __shared__ __align__(16) unsigned char to[16384];
    const unsigned at = unsigned(__cvta_generic_to_shared(to));
    for (int i = 16 * threadIdx.x; i < 16384; i += 16 * blockDim.x) {
        const void* from = reinterpret_cast<const char*>(next) + i;
        if (THROUGH_L1)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at + i), "l"(from) : "memory");
        else
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + i), "l"(from) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = 0;
        const long long begun = clock64();
#pragma unroll 1
        for (int i = 0; i < 128; ++i) now = next[now];
        *cycles = clock64() - begun;
        *out = now + to[0];
    }
}

// A tile copied through registers, and by cp.async.
__global__ void by_registers(const float4* in, float4* out) {
    __shared__ float4 tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void past_registers(const float4* in, float4* out) {
    __shared__ float4 tile[256];
    const unsigned at = unsigned(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];
}

int main(int many, char** values) {
    if (counting(many, values)) {
        const float4* in = on_device<float4>(256);
        float4* out = on_device<float4>(256);
        named("a tile through registers"), by_registers<<<1, 256>>>(in, out);
        named("a tile by cp.async"), past_registers<<<1, 256>>>(in, out);
        FINISH();
        return 0;
    }
    std::vector<unsigned char> bytes(64);
    for (int i = 0; i < 64; ++i) bytes[i] = (unsigned char)(i + 1);
    const unsigned char* in = on_device(bytes);
    unsigned char* out = on_device<unsigned char>(64);
    if (many == 3) {  // `async_copies misaligned 4`
        misaligned<<<1, 1>>>(in, std::atoi(values[2]), out);
        FINISH();
        std::printf("ended without an error\n");
        return 0;
    }
    for (int size : {16, 12, 8, 5, 4, 1, 0}) {
        filled<<<1, 1>>>(size, in, out);
        FINISH();
        std::string found;
        for (unsigned char one : on_host(out, 16)) found += (found.empty() ? "" : " ") + std::to_string(one);
        told("16 bytes, source of " + std::to_string(size), "destination", found);
    }
    std::vector<unsigned> next(4096, 0);
    for (int i = 0; i < 128; ++i) next[32 * i] = 32 * ((i + 1) % 128);
    const unsigned* chain = on_device(next);
    long long* cycles = on_device<long long>(1);
    unsigned* last = on_device<unsigned>(1);
    const auto read = [&](const char* name, auto kernel) {
        kernel<<<1, 256>>>(chain, cycles, last);
        FINISH();
        kernel<<<1, 256>>>(chain, cycles, last);
        FINISH();
        figure(name, "cycles of a load of the same bytes afterwards", on_host(cycles, 1)[0] / 128.0, "cycles");
    };
    read("cp.async.ca", then_read<true>);
    read("cp.async.cg", then_read<false>);
}
