// Pools of memory in the order of a stream: the device has one, and all of them are it.
#pragma once

#include "quiz_runtime.h"

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1 };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};

struct CUmemPoolHandle_st {
    uint64_t threshold;
};
static inline cudaError_t cudaMemPoolCreate(cudaMemPool_t *made, const cudaMemPoolProps *) {
    *made = new CUmemPoolHandle_st{0};
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    static CUmemPoolHandle_st own;
    if (device != 0) return quiz::note(cudaErrorInvalidDevice);
    *pool = &own;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}
static inline cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value) {
    if (which == cudaMemPoolAttrReleaseThreshold) pool->threshold = *(uint64_t *)value;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value) {
    if (which < cudaMemPoolAttrReleaseThreshold)
        *(int *)value = 1;
    else
        *(uint64_t *)value =
            which == cudaMemPoolAttrReleaseThreshold ? pool->threshold : quiz::state().used;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t) {
    return quiz::note(cudaSuccess);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t,
                                                  cudaStream_t stream) {
    return cudaMallocAsync(pointer, size, stream);
}
