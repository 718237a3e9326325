// Which 16-byte chunk a tensor copy puts where: an iota tile in each swizzle mode, dumped.
#include <cuda.h>

#include "common.cuh"

constexpr int ROWS = 16;
constexpr int BYTES = ROWS * 128;

__global__ void dump(const __grid_constant__ CUtensorMap map, int past, unsigned bytes, unsigned short* out) {
    extern __shared__ __align__(1024) unsigned char memory[];
    __shared__ __align__(8) unsigned long long barrier;
    unsigned char* tile = memory + past;
    const unsigned at = unsigned(__cvta_generic_to_shared(tile));
    const unsigned waited = unsigned(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(waited));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(waited), "r"(bytes));
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
            ::"r"(at), "l"(&map), "r"(0), "r"(0), "r"(waited) : "memory");
    }
    __syncthreads();
    unsigned done = 0;
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(waited) : "memory");
    // Of each chunk the element that lies first in it.
    for (unsigned i = threadIdx.x; i < bytes / 16; i += blockDim.x)
        out[i] = *reinterpret_cast<unsigned short*>(tile + 16 * i);
    if (threadIdx.x == 0) out[BYTES / 16] = (unsigned short)(at % 1024);
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

Encode encoder() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult said;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &said));
    if (said != cudaDriverEntryPointSuccess) std::exit(4);
    return reinterpret_cast<Encode>(found);
}

int main(int many, char** values) {
    const Encode encode = encoder();
    struct Mode { const char* name; CUtensorMapSwizzle swizzle; int bytes; };
    const Mode modes[] = {{"none, 128", CU_TENSOR_MAP_SWIZZLE_NONE, 128},
                          {"32B", CU_TENSOR_MAP_SWIZZLE_32B, 32},
                          {"64B", CU_TENSOR_MAP_SWIZZLE_64B, 64},
                          {"128B", CU_TENSOR_MAP_SWIZZLE_128B, 128}};
    unsigned short* out = on_device<unsigned short>(BYTES / 16 + 1);
    for (const Mode& mode : modes) {
        const int chunks = mode.bytes / 16;
        std::vector<unsigned short> iota(ROWS * mode.bytes / 2);
        for (size_t i = 0; i < iota.size(); ++i) iota[i] = (unsigned short)i;
        unsigned short* in = on_device(iota);
        CUtensorMap map;
        const cuuint64_t size[] = {cuuint64_t(mode.bytes / 2), ROWS}, stride[] = {cuuint64_t(mode.bytes)};
        const cuuint32_t box[] = {cuuint32_t(mode.bytes / 2), ROWS}, step[] = {1, 1};
        const CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, in, size, stride, box, step,
                                     CU_TENSOR_MAP_INTERLEAVE_NONE, mode.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        if (made != CUDA_SUCCESS) return 5;
        if (many == 3) {  // `tensor_copies past 64`: only whether the last mode takes the address
            if (mode.bytes < 128 || mode.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE) continue;
            dump<<<1, 32, BYTES + 2048>>>(map, std::atoi(values[2]), ROWS * mode.bytes, out);
            FINISH();
            std::printf("ended without an error\n");
            return 0;
        }
        for (int past : {0, 128, 256}) {
            dump<<<1, 32, BYTES + 2048>>>(map, past, ROWS * mode.bytes, out);
            FINISH();
            const auto found = on_host(out, BYTES / 16 + 1);
            std::string rows;
            for (int row = 0; row < ROWS; ++row) {
                rows += row ? " " : "";
                for (int chunk = 0; chunk < chunks; ++chunk)
                    rows += std::to_string(found[row * chunks + chunk] / 8 % chunks);
            }
            const std::string name = std::string(mode.name) + ", " + std::to_string(past) + " past";
            figure(name, "address mod 1024", found[BYTES / 16], "bytes");
            told(name, "chunks by row", rows);
        }
    }
}
