// Arrays, textures, and surfaces: where they lie and how they are read, which the emulator is told.
#pragma once

#include "quiz_runtime.h"

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

struct cudaArray {
    cudaChannelFormatDesc format;
    cudaExtent extent;  // in elements, as it was asked for: 0 where an axis is not there
    unsigned flags;
    size_t element, pitch, rows;
    char *data;  // on the device
};
typedef cudaArray *cudaArray_t;
typedef const cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
struct cudaPos {
    size_t x, y, z;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;

static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
namespace quiz {
template <class T> struct ChannelsOf;
#define QUIZ_CHANNELS(name, count, bits, kind)                                                \
    template <> struct ChannelsOf<name> {                                                     \
        static cudaChannelFormatDesc make() {                                                 \
            return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,   \
                    cudaChannelFormatKind##kind};                                             \
        }                                                                                     \
    };
#define QUIZ_ALL_CHANNELS(single, vector, bits, kind) \
    QUIZ_CHANNELS(single, 1, bits, kind)              \
    QUIZ_CHANNELS(vector##1, 1, bits, kind)           \
    QUIZ_CHANNELS(vector##2, 2, bits, kind)           \
    QUIZ_CHANNELS(vector##4, 4, bits, kind)
QUIZ_ALL_CHANNELS(signed char, char, 8, Signed)
QUIZ_ALL_CHANNELS(unsigned char, uchar, 8, Unsigned)
QUIZ_ALL_CHANNELS(short, short, 16, Signed)
QUIZ_ALL_CHANNELS(unsigned short, ushort, 16, Unsigned)
QUIZ_ALL_CHANNELS(int, int, 32, Signed)
QUIZ_ALL_CHANNELS(unsigned int, uint, 32, Unsigned)
QUIZ_ALL_CHANNELS(float, float, 32, Float)
QUIZ_CHANNELS(char, 1, 8, Signed)
#undef QUIZ_ALL_CHANNELS
#undef QUIZ_CHANNELS

inline size_t channels(const cudaChannelFormatDesc &of) {
    return (size_t)((of.x > 0) + (of.y > 0) + (of.z > 0) + (of.w > 0));
}
// Return the bytes of an element; 0 if no texture has such ones.
inline size_t element_of(const cudaChannelFormatDesc &of) {
    size_t count = channels(of);
    bool alike = (count < 2 || of.y == of.x) && (count < 4 || (of.z == of.x && of.w == of.x));
    bool known = of.x == 8 || of.x == 16 || of.x == 32;
    if (!alike || !known || count == 3 || of.f > cudaChannelFormatKindFloat) return 0;
    return of.f == cudaChannelFormatKindFloat && of.x == 8 ? 0 : count * (size_t)of.x / 8;
}
}  // namespace quiz
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return quiz::ChannelsOf<typename std::remove_cv<T>::type>::make();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}

// Arrays

static inline cudaError_t cudaMalloc3DArray(cudaArray_t *made, const cudaChannelFormatDesc *format,
                                            cudaExtent extent, unsigned flags = 0) {
    size_t element = quiz::element_of(*format);
    if (made == nullptr || element == 0 || extent.width == 0) return quiz::note(cudaErrorInvalidValue);
    if (flags & (cudaArrayCubemap | cudaArrayTextureGather)) return quiz::note(cudaErrorNotSupported);
    size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
    char *data;
    cudaError_t error = cudaMalloc(&data, element * extent.width * rows * slices);
    if (error != cudaSuccess) return error;
    *made = new cudaArray{*format, extent, flags, element, element * extent.width, rows, data};
    return cudaSuccess;
}
static inline cudaError_t cudaMallocArray(cudaArray_t *made, const cudaChannelFormatDesc *format,
                                          size_t width, size_t height = 0, unsigned flags = 0) {
    return cudaMalloc3DArray(made, format, {width, height, 0}, flags);
}
static inline cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) return cudaSuccess;
    cudaError_t error = cudaFree(array->data);
    delete array;
    return error;
}
static inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    *format = array->format;
    return cudaSuccess;
}
static inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent,
                                           unsigned *flags, cudaArray_t array) {
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
}

namespace quiz {
// Rows of memory, or of an array, from a place on: how a copy finds them.
struct Slices {
    char *data;
    size_t pitch, rows;
};
inline bool has(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height) {
    return array != nullptr && x + width <= array->pitch && y + height <= array->rows;
}
inline Slices at(cudaArray_const_t array, size_t x, size_t y, size_t z = 0) {
    return {array->data + (z * array->rows + y) * array->pitch + x, array->pitch, array->rows};
}
inline cudaError_t copy_slices(Slices to, Slices from, cudaExtent extent, cudaMemcpyKind kind, bool waits) {
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; ++z)
        error = copy(to.data + z * to.pitch * to.rows, to.pitch, from.data + z * from.pitch * from.rows,
                     from.pitch, extent.width, extent.height, kind, waits);
    return error;
}
// The same in a stream, or for a host that waits.
inline cudaError_t issue_slices(Slices to, Slices from, cudaExtent extent, cudaMemcpyKind kind,
                                cudaStream_t stream) {
    return issue(stream, copy_node, [=] { return copy_slices(to, from, extent, kind, false); });
}
inline cudaError_t copy_slices_now(Slices to, Slices from, cudaExtent extent, cudaMemcpyKind kind) {
    if (breaks_implicitly(nullptr)) return note(cudaErrorStreamCaptureImplicit);
    learn_failures();
    cudaError_t error = copy_slices(to, from, extent, kind, true);
    wait_for(host_waits_stream, 0);
    return error;
}
}  // namespace quiz

#define QUIZ_ARRAY_COPY(name, parameters, valid, how, ...)                                    \
    static inline cudaError_t name parameters {                                                      \
        if (!(valid)) return quiz::note(cudaErrorInvalidValue);                                      \
        return quiz::how(__VA_ARGS__);                                                               \
    }
#define QUIZ_ARRAY_COPIES(name, whole, valid, to, from, width, height)                        \
    QUIZ_ARRAY_COPY(name, (QUIZ_OPEN whole, cudaMemcpyKind kind = cudaMemcpyDefault), valid,         \
                    copy_slices_now, to, from, {width, height, 1}, kind)                             \
    QUIZ_ARRAY_COPY(name##Async,                                                                     \
                    (QUIZ_OPEN whole, cudaMemcpyKind kind, cudaStream_t stream = nullptr), valid,    \
                    issue_slices, to, from, {width, height, 1}, kind, stream)
#define QUIZ_OPEN(...) __VA_ARGS__
QUIZ_ARRAY_COPIES(cudaMemcpy2DToArray,
                  (cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                   size_t height),
                  quiz::has(array, x, y, width, height), quiz::at(array, x, y),
                  (quiz::Slices{(char *)from, pitch, height}), width, height)
QUIZ_ARRAY_COPIES(cudaMemcpy2DFromArray,
                  (void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width,
                   size_t height),
                  quiz::has(array, x, y, width, height), (quiz::Slices{(char *)to, pitch, height}),
                  quiz::at(array, x, y), width, height)
// Bytes that go on in the next row at the end of one: rows of an array are contiguous here.
QUIZ_ARRAY_COPIES(cudaMemcpyToArray,
                  (cudaArray_t array, size_t x, size_t y, const void *from, size_t n),
                  array != nullptr && y * array->pitch + x + n <= array->pitch * array->rows,
                  quiz::at(array, x, y), (quiz::Slices{(char *)from, n, 1}), n, 1)
QUIZ_ARRAY_COPIES(cudaMemcpyFromArray, (void *to, cudaArray_const_t array, size_t x, size_t y, size_t n),
                  array != nullptr && y * array->pitch + x + n <= array->pitch * array->rows,
                  (quiz::Slices{(char *)to, n, 1}), quiz::at(array, x, y), n, 1)
#undef QUIZ_ARRAY_COPIES
#undef QUIZ_ARRAY_COPY
#undef QUIZ_OPEN
static inline cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y,
                                                   cudaArray_const_t from, size_t from_x,
                                                   size_t from_y, size_t width, size_t height,
                                                   cudaMemcpyKind = cudaMemcpyDeviceToDevice) {
    if (!quiz::has(to, x, y, width, height) || !quiz::has(from, from_x, from_y, width, height))
        return quiz::note(cudaErrorInvalidValue);
    return quiz::copy_slices_now(quiz::at(to, x, y), quiz::at(from, from_x, from_y), {width, height, 1},
                                 cudaMemcpyDefault);
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
namespace quiz {
// Return what a copy in three dimensions copies from and to; false if that cannot be.
inline bool find_slices(const cudaMemcpy3DParms &asked, Slices &target, Slices &source,
                        cudaExtent &extent) {
    extent = asked.extent;
    cudaArray_t to = asked.dstArray, from = asked.srcArray;
    size_t element = to != nullptr ? to->element : from != nullptr ? from->element : 1;
    if (to != nullptr && from != nullptr && to->element != from->element) return false;
    extent.width *= element;
    auto place = [&](cudaArray_t array, const cudaPitchedPtr &memory, cudaPos position, Slices &found) {
        size_t x = position.x * (array != nullptr ? element : 1);
        if (array == nullptr) {
            size_t rows = memory.ysize ? memory.ysize : extent.height;
            found = {(char *)memory.ptr + (position.z * rows + position.y) * memory.pitch + x,
                     memory.pitch, rows};
            return memory.ptr != nullptr;
        }
        size_t depth = array->extent.depth ? array->extent.depth : 1;
        found = at(array, x, position.y, position.z);
        return has(array, x, position.y, extent.width, extent.height) &&
               position.z + extent.depth <= depth;
    };
    return place(to, asked.dstPtr, asked.dstPos, target) && place(from, asked.srcPtr, asked.srcPos, source);
}
}  // namespace quiz
static inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *asked, cudaStream_t stream = nullptr) {
    quiz::Slices to, from;
    cudaExtent extent;
    if (!quiz::find_slices(*asked, to, from, extent)) return quiz::note(cudaErrorInvalidValue);
    return quiz::issue_slices(to, from, extent, asked->kind, stream);
}
static inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *asked) {
    quiz::Slices to, from;
    cudaExtent extent;
    if (!quiz::find_slices(*asked, to, from, extent)) return quiz::note(cudaErrorInvalidValue);
    return quiz::copy_slices_now(to, from, extent, asked->kind);
}

// Textures and surfaces

namespace quiz {
inline unsigned long long tell_texture(const cudaChannelFormatDesc &format, const void *data,
                                       cudaExtent extent, size_t pitch, size_t rows, unsigned flags,
                                       const cudaTextureDesc &how) {
    static unsigned long long made;
    Locked locked;
    Message message;
    message.number(a_texture);
    message.number(++made);
    message.number((uint64_t)data);
    for (size_t each : {extent.width, extent.height, extent.depth, pitch, rows}) message.number(each);
    message.number(flags);
    message.number(channels(format));
    message.number((uint64_t)format.x);
    message.number(format.f);
    for (cudaTextureAddressMode each : how.addressMode) message.number(each);
    message.number(how.filterMode);
    message.number(how.readMode);
    message.number(how.normalizedCoords != 0);
    for (float each : how.borderColor) {
        uint32_t bits;
        memcpy(&bits, &each, 4);
        message.number(bits);
    }
    message.send();
    return made;
}
const unsigned linear_memory = 0x100;  // beside the flags of an array
}  // namespace quiz

static inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *made,
                                                  const cudaResourceDesc *from,
                                                  const cudaTextureDesc *how,
                                                  const cudaResourceViewDesc *view) {
    if (made == nullptr || from == nullptr || how == nullptr) return quiz::note(cudaErrorInvalidValue);
    if (view != nullptr || how->sRGB || from->resType == cudaResourceTypeMipmappedArray)
        return quiz::note(cudaErrorNotSupported);
    cudaChannelFormatDesc format;
    const void *data;
    cudaExtent extent;
    size_t pitch, rows = 1;
    unsigned flags = 0;
    if (from->resType == cudaResourceTypeArray) {
        cudaArray_t array = from->res.array.array;
        if (array == nullptr) return quiz::note(cudaErrorInvalidValue);
        format = array->format;
        data = array->data;
        extent = array->extent;
        pitch = array->pitch;
        rows = array->rows;
        flags = array->flags;
    } else if (from->resType == cudaResourceTypePitch2D) {
        auto &memory = from->res.pitch2D;
        format = memory.desc;
        data = memory.devPtr;
        extent = {memory.width, memory.height, 0};
        pitch = memory.pitchInBytes;
        rows = memory.height;
    } else {
        auto &memory = from->res.linear;
        size_t element = quiz::element_of(memory.desc);
        format = memory.desc;
        data = memory.devPtr;
        extent = {element ? memory.sizeInBytes / element : 0, 0, 0};
        pitch = memory.sizeInBytes;
        flags = quiz::linear_memory;
    }
    size_t element = quiz::element_of(format), depth = extent.depth ? extent.depth : 1;
    if (element == 0 || extent.width == 0 || pitch < extent.width * element ||
        (uint64_t)data % (flags == quiz::linear_memory ? 16 : 32) || !quiz::is_device(data) ||
        quiz::reach(data, pitch * (rows * depth - 1) + extent.width * element) == nullptr)
        return quiz::note(cudaErrorInvalidValue);
    bool floats = format.f == cudaChannelFormatKindFloat;
    if (how->readMode == cudaReadModeNormalizedFloat && !floats && format.x == 32)
        return quiz::note(cudaErrorInvalidNormSetting);
    if (how->filterMode == cudaFilterModeLinear && !floats && how->readMode == cudaReadModeElementType)
        return quiz::note(cudaErrorInvalidFilterSetting);
    *made = quiz::tell_texture(format, data, extent, pitch, rows, flags, *how);
    return cudaSuccess;
}
static inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    quiz::Locked locked;
    quiz::Message message;
    message.number(quiz::a_texture_end);
    message.number(texture);
    message.send();
    return cudaSuccess;
}
static inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *made,
                                                  const cudaResourceDesc *from) {
    if (made == nullptr || from == nullptr || from->resType != cudaResourceTypeArray ||
        from->res.array.array == nullptr || !(from->res.array.array->flags & cudaArraySurfaceLoadStore))
        return quiz::note(cudaErrorInvalidValue);
    cudaTextureDesc how = {};
    return cudaCreateTextureObject(made, from, &how, nullptr);
}
static inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return cudaDestroyTextureObject(surface);
}
