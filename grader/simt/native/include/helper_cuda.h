// What CUDA's samples take from their folder Common to check errors and to choose a device.
#pragma once

#include "cuda_runtime.h"
#include "helper_functions.h"

template <class T> void check(T error, const char *call, const char *file, int line) {
    if (!error) return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)error,
            cudaGetErrorName((cudaError_t)error), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) quiz_last_error(message, __FILE__, __LINE__)
#define printLastCudaError(message) quiz_last_error(message, __FILE__, __LINE__)
static inline void quiz_last_error(const char *message, const char *file, int line) {
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s(%i) : %s : (%d) %s.\n", file, line, message, (int)error,
            cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}
static inline int gpuDeviceInit(int) { return 0; }
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int findCudaDevice(int, const char **) { return 0; }
static inline int findIntegratedGPU() { return -1; }
static inline bool checkCudaCapabilities(int major, int minor) {
    return major < 9 || (major == 9 && minor == 0);
}
static inline int _ConvertSMVer2Cores(int, int) { return 128; }
static inline const char *_ConvertSMVer2ArchName(int, int) { return "Hopper"; }
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
