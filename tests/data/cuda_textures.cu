// Reads textures of every kind at many coordinates and prints all that it got, as bits.
//
// A line is: kind, axes, layers, channels, address mode, filter, normalized coordinates, and values.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

const int points = 48;
const int width = 7, height = 5, depth = 4;

template <class T, int axes, bool layered>
__global__ void read(cudaTextureObject_t texture, const float *x, const float *y, const float *z, T *out) {
    int i = threadIdx.x;
    if constexpr (layered && axes == 1) out[i] = tex1DLayered<T>(texture, x[i], i % (depth + 1));
    else if constexpr (layered) out[i] = tex2DLayered<T>(texture, x[i], y[i], i % (depth + 1) - 1);
    else if constexpr (axes == 1) out[i] = tex1D<T>(texture, x[i]);
    else if constexpr (axes == 2) out[i] = tex2D<T>(texture, x[i], y[i]);
    else tex3D(&out[i], texture, x[i], y[i], z[i]);
}
template <class T> __global__ void fetch(cudaTextureObject_t texture, T *out) {
    out[threadIdx.x] = tex1Dfetch<T>(texture, (int)threadIdx.x - 3);
}
template <class T, int axes>
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, size = sizeof(T);
    T value;
    if constexpr (axes == 2) {
        surf2Dread(&value, from, (width - 1 - x) * size, y + 1, cudaBoundaryModeZero);
        surf2Dwrite(value, to, x * size, y);
    } else {
        value = surf3Dread<T>(from, (x + 2) * size, y, z - 1, cudaBoundaryModeClamp);
        surf3Dwrite(value, to, x * size, y, z);
    }
}

int failed(cudaError_t error, int line) {
    if (error != cudaSuccess) printf("line %d: %s\n", line, cudaGetErrorString(error));
    return error != cudaSuccess;
}
#define CHECK(call) if (failed(call, __LINE__)) return

template <class T> void print(const char *head, const T *device, int count) {
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    std::vector<unsigned char> bytes(count * sizeof(T));
    memcpy(bytes.data(), values.data(), bytes.size());
    printf("%s", head);
    for (size_t i = 0; i < bytes.size(); i += sizeof(T)) {
        printf(" ");
        for (size_t j = 0; j < sizeof(T); ++j) printf("%02x", bytes[i + j]);
    }
    printf("\n");
}

// The bytes of an array's elements; all of them are finite numbers.
void fill(std::vector<unsigned char> &bytes, const cudaChannelFormatDesc &format) {
    for (size_t i = 0; i * format.x / 8 < bytes.size(); ++i) {
        unsigned mixed = (unsigned)i * 2654435761u >> 8;
        if (format.f == cudaChannelFormatKindFloat && format.x == 32) {
            float value = (float)(int)(mixed % 2001) / 16 - 60;
            memcpy(&bytes[i * 4], &value, 4);
        } else if (format.f == cudaChannelFormatKindFloat) {
            unsigned short value = (unsigned short)(0x3000 + mixed % 0x1800 + (mixed & 1 ? 0x8000 : 0));
            memcpy(&bytes[i * 2], &value, 2);
        } else {
            memcpy(&bytes[i * format.x / 8], &mixed, format.x / 8);
        }
    }
}

template <class T, int axes, bool layered = false>
void run(const char *kind, cudaChannelFormatDesc format, int channels, bool as_float) {
    cudaExtent extent = {width, axes > 1 ? height : 0, axes > 2 || layered ? depth : 0};
    size_t rows = axes > 1 ? height : 1, slices = axes > 2 || layered ? depth : 1;
    size_t element = (size_t)channels * format.x / 8, pitch = element * width;
    std::vector<unsigned char> bytes(pitch * rows * slices);
    fill(bytes, format);
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent, layered ? cudaArrayLayered : 0));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(bytes.data(), pitch, width, rows);
    copy.dstArray = array;
    copy.extent = {width, rows, slices};
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    float *at[3];
    T *out;
    CHECK(cudaMalloc(&out, points * sizeof(T)));
    for (float *&each : at) CHECK(cudaMalloc(&each, points * sizeof(float)));
    bool floats = as_float || format.f == cudaChannelFormatKindFloat;
    for (int normalized = 0; normalized < 2; ++normalized)
        for (int mode = 0; mode < 4; ++mode)
            for (int filter = 0; filter < (floats ? 2 : 1); ++filter) {
                const int sizes[] = {width, height, depth};
                for (int axis = 0; axis < 3; ++axis) {
                    std::vector<float> each(points);
                    for (int i = 0; i < points; ++i) {
                        float place = i % 2 ? (float)((i * 37 + axis * 11) % 1200 - 200) / 100
                                            : (float)((i * 29 + axis * 7) % 700 - 90) / 64;
                        each[i] = normalized ? place / sizes[axis] : place;
                    }
                    CHECK(cudaMemcpy(at[axis], each.data(), points * 4, cudaMemcpyHostToDevice));
                }
                cudaResourceDesc from = {};
                from.resType = cudaResourceTypeArray;
                from.res.array.array = array;
                cudaTextureDesc how = {};
                for (auto &each : how.addressMode) each = (cudaTextureAddressMode)mode;
                how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
                how.readMode = as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
                how.normalizedCoords = normalized;
                cudaTextureObject_t texture;
                CHECK(cudaCreateTextureObject(&texture, &from, &how, nullptr));
                read<T, axes, layered><<<1, points>>>(texture, at[0], at[1], at[2], out);
                char head[100];
                snprintf(head, sizeof head, "%s %d %d %d %d %d %d", kind, axes, (int)layered, channels,
                         mode, filter, normalized);
                print(head, out, points);
                CHECK(cudaDestroyTextureObject(texture));
            }
    CHECK(cudaFreeArray(array));
    for (float *each : at) CHECK(cudaFree(each));
    CHECK(cudaFree(out));
}

template <class T> void run_linear(const char *kind, bool as_float) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    std::vector<unsigned char> bytes(20 * sizeof(T));
    fill(bytes, format);
    T *memory;
    float *out;
    CHECK(cudaMalloc(&memory, bytes.size()));
    CHECK(cudaMalloc(&out, 32 * 4));
    CHECK(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = memory;
    from.res.linear.desc = format;
    from.res.linear.sizeInBytes = bytes.size();
    cudaTextureDesc how = {};
    how.readMode = as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &from, &how, nullptr));
    if (as_float) fetch<float><<<1, 32>>>(texture, out);
    else fetch<T><<<1, 32>>>(texture, (T *)out);
    char head[100];
    snprintf(head, sizeof head, "%s 0 0 1 0 0 0", kind);
    if (as_float) print(head, out, 32);
    else print(head, (T *)out, 32);
}

template <class T, int axes> void run_surface(const char *kind) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    size_t slices = axes > 2 ? depth : 1;
    std::vector<unsigned char> bytes(width * height * slices * sizeof(T));
    fill(bytes, format);
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeArray;
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaMalloc3DArray(&arrays[i], &format, {width, height, axes > 2 ? (size_t)depth : 0},
                                cudaArraySurfaceLoadStore));
        from.res.array.array = arrays[i];
        CHECK(cudaCreateSurfaceObject(&surfaces[i], &from));
    }
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(bytes.data(), width * sizeof(T), width, height);
    copy.dstArray = arrays[0];
    copy.extent = {width, height, slices};
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    turn<T, axes><<<1, dim3(width, height, slices)>>>(surfaces[0], surfaces[1]);
    T *out;
    CHECK(cudaMalloc(&out, bytes.size()));
    cudaMemcpy3DParms back = {};
    back.srcArray = arrays[1];
    back.dstPtr = make_cudaPitchedPtr(out, width * sizeof(T), width, height);
    back.extent = copy.extent;
    back.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&back));
    char head[100];
    snprintf(head, sizeof head, "surface-%s %d 0 1 0 0 0", kind, axes);
    print(head, out, (int)(bytes.size() / sizeof(T)));
}

int main() {
    run<float, 1>("float", cudaCreateChannelDesc<float>(), 1, false);
    run<float, 2>("float", cudaCreateChannelDesc<float>(), 1, false);
    run<float, 3>("float", cudaCreateChannelDesc<float>(), 1, false);
    run<float, 1, true>("float", cudaCreateChannelDesc<float>(), 1, false);
    run<float, 2, true>("float", cudaCreateChannelDesc<float>(), 1, false);
    run<float2, 2>("float", cudaCreateChannelDesc<float2>(), 2, false);
    run<float, 2>("half", cudaCreateChannelDescHalf(), 1, false);
    run<float, 2>("uchar", cudaCreateChannelDesc<unsigned char>(), 1, true);
    run<float4, 2>("uchar", cudaCreateChannelDesc<uchar4>(), 4, true);
    run<float, 2>("char", cudaCreateChannelDesc<signed char>(), 1, true);
    run<float, 2>("short", cudaCreateChannelDesc<short>(), 1, true);
    run<float, 2>("ushort", cudaCreateChannelDesc<unsigned short>(), 1, true);
    run<uchar4, 2>("uchar-element", cudaCreateChannelDesc<uchar4>(), 4, false);
    run<short, 1>("short-element", cudaCreateChannelDesc<short>(), 1, false);
    run<unsigned, 3>("uint-element", cudaCreateChannelDesc<unsigned>(), 1, false);
    run_linear<float>("float", false);
    run_linear<int>("int-element", false);
    run_linear<unsigned char>("uchar", true);
    run_surface<float, 2>("float");
    run_surface<uchar4, 3>("uchar");
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
