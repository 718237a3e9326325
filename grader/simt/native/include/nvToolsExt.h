// Ranges and names of the tools extension: nothing looks at them.
#pragma once

#include "cuda_runtime.h"

static inline int nvtxRangePushA(const char *) { return 0; }
static inline int nvtxRangePop() { return 0; }
static inline void nvtxMarkA(const char *) {}
static inline void nvtxNameCudaStreamA(cudaStream_t, const char *) {}
static inline void nvtxNameCudaEventA(cudaEvent_t, const char *) {}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
