// Maps of tensors: what `cuTensorMapEncodeTiled` makes is read by `ptx/instructions/tensors.py`.
#pragma once

enum CUresult {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
};
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
struct alignas(64) CUtensorMap {
    cuuint64_t opaque[16];
};
enum CUtensorMapDataType {
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
};
enum CUtensorMapInterleave {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
};
enum CUtensorMapSwizzle {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
};
enum CUtensorMapL2promotion {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
};

static inline CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
    const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
    static const unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    if (!map || !address || !sizes || !box || !steps || rank < 1 || rank > 5 ||
        (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ ||
        swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
        return CUDA_ERROR_NOT_SUPPORTED;
    cuuint64_t row = (cuuint64_t)box[0] * bytes[type];
    bool wrong = (cuuint64_t)address % 16 || row % 16 ||
                 (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && row > (16u << swizzle)) ||
                 (fill && type < CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
    for (cuuint32_t at = 0; at < rank; ++at)
        wrong |= sizes[at] < 1 || sizes[at] > (1ull << 32) || box[at] < 1 || box[at] > 256 ||
                 steps[at] < 1 || steps[at] > 8;
    for (cuuint32_t at = 0; at + 1 < rank; ++at)
        wrong |= strides[at] % 16 || strides[at] >= (1ull << 40);
    if (wrong) return CUDA_ERROR_INVALID_VALUE;
    unsigned char head[8] = {(unsigned char)rank, (unsigned char)type, 0, (unsigned char)swizzle,
                             (unsigned char)fill, 'T', 'M', 'A'};
    char *to = (char *)map;
    memset(to, 0, sizeof *map);
    memcpy(to, &address, 8);
    memcpy(to + 8, head, 8);
    memcpy(to + 16, sizes, 8 * rank);
    if (rank > 1) memcpy(to + 56, strides, 8 * (rank - 1));
    memcpy(to + 88, box, 4 * rank);
    for (cuuint32_t at = 0; at < rank; ++at) to[108 + at] = (char)steps[at];
    return CUDA_SUCCESS;
}

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(
    CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
    const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(
    CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
    const int *, const int *, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
    CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeIm2col_v12000 PFN_cuTensorMapEncodeIm2col;
typedef cudaLaunchAttribute CUlaunchAttribute;

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
};
enum { cudaEnableDefault = 0, cudaEnableLegacyStream = 1, cudaEnablePerThreadDefaultStream = 2 };
static inline cudaError_t cudaGetDriverEntryPoint(const char *name, void **found,
                                                  unsigned long long = cudaEnableDefault,
                                                  cudaDriverEntryPointQueryResult *result = nullptr) {
    bool known = strcmp(name, "cuTensorMapEncodeTiled") == 0;
    *found = known ? (void *)&cuTensorMapEncodeTiled : nullptr;
    if (result)
        *result = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **found, unsigned, unsigned long long flags = cudaEnableDefault,
    cudaDriverEntryPointQueryResult *result = nullptr) {
    return cudaGetDriverEntryPoint(name, found, flags, result);
}
