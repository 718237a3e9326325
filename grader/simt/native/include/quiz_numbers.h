// What libraries of CUDA have alike here, which run on the CPU: types of data by number, memory.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

enum cudaDataType_t {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14,
    CUDA_R_8F_E4M3 = 28,
    CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
enum libraryPropertyType { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };

// A call of a library: where it stands, as the last parameter of each function.
#define QUIZ_HERE const char *quiz_file = __builtin_FILE(), int quiz_line = __builtin_LINE()

namespace quiz {

inline size_t size_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_64F: return 8;
        case CUDA_R_32F:
        case CUDA_R_32I: return 4;
        case CUDA_R_16F:
        case CUDA_R_16BF: return 2;
        default: return 1;
    }
}
inline bool is_known(cudaDataType type) { return type <= CUDA_R_8I || type == CUDA_R_8U ||
                                                 type == CUDA_R_32I || type == CUDA_R_16BF; }
template <class Number> Number load_number(cudaDataType type, const void *from, size_t at = 0) {
    switch (type) {
        case CUDA_R_64F: return (Number)((const double *)from)[at];
        case CUDA_R_32F: return (Number)((const float *)from)[at];
        case CUDA_R_32I: return (Number)((const int *)from)[at];
        case CUDA_R_16F: return (Number)(float)((const __half *)from)[at];
        case CUDA_R_16BF: return (Number)(float)((const __nv_bfloat16 *)from)[at];
        case CUDA_R_8I: return (Number)((const signed char *)from)[at];
        default: return (Number)((const unsigned char *)from)[at];
    }
}
template <class Number>
void store_number(cudaDataType type, void *to, size_t at, Number value) {
    switch (type) {
        case CUDA_R_64F: ((double *)to)[at] = (double)value; break;
        case CUDA_R_32F: ((float *)to)[at] = (float)value; break;
        case CUDA_R_32I: ((int *)to)[at] = (int)value; break;
        case CUDA_R_16F: ((__half *)to)[at] = __half((float)value); break;
        case CUDA_R_16BF: ((__nv_bfloat16 *)to)[at] = __nv_bfloat16((float)value); break;
        case CUDA_R_8I: ((signed char *)to)[at] = (signed char)value; break;
        default: ((unsigned char *)to)[at] = (unsigned char)value;
    }
}
template <class T> struct TypeOf;
template <> struct TypeOf<float> { static const cudaDataType type = CUDA_R_32F; };
template <> struct TypeOf<double> { static const cudaDataType type = CUDA_R_64F; };
template <> struct TypeOf<__half> { static const cudaDataType type = CUDA_R_16F; };

// Return where this process has device memory that a library reads or writes. Null, and the error
// of a kernel that reads there, if it is not the device's or not that long.
inline char *reach_device(const void *pointer, size_t size, const char *call, const char *file,
                          int line) {
    char *found = find(pointer) == nullptr ? nullptr : reach(pointer, size);
    if (found != nullptr && (size == 0 || reach((const char *)pointer + size - 1, 1) != nullptr))
        return found;
    tell_failure(call, cudaErrorIllegalAddress, file, line);
    state().pending = cudaErrorIllegalAddress;
    return nullptr;
}

}  // namespace quiz
