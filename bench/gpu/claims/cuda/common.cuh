// What every program here shares: errors end it, launches have names, times are medians.
//
// `PROGRAM count` launches every named case once, for a profiler; `PROGRAM time` prints figures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

inline void check(cudaError_t found, const char* what, int line) {
    if (found == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s: %s\n", line, what, cudaGetErrorString(found));
    std::exit(1);
}
#define CHECK(call) check((call), #call, __LINE__)

// Waits for the launch; reports a refused launch too.
inline void finish(int line) {
    check(cudaGetLastError(), "launch", line);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize()", line);
}
#define FINISH() finish(__LINE__)

// The launch that follows is this case's: the profiler lists launches in the same order.
inline void named(const std::string& name) { std::printf("case %s\n", name.c_str()); }

// A figure that the program found itself.
inline void figure(const std::string& name, const char* what, double value, const char* unit) {
    std::printf("figure %s|%s|%.10g|%s\n", name.c_str(), what, value, unit);
}

// What no number says: a dump, an answer.
inline void told(const std::string& name, const char* what, const std::string& text) {
    std::printf("text %s|%s|%s\n", name.c_str(), what, text.c_str());
}

inline bool counting(int count, char** values) {
    return count > 1 && std::strcmp(values[1], "count") == 0;
}

template <typename T>
T* on_device(size_t elements) {
    T* found = nullptr;
    CHECK(cudaMalloc(&found, elements * sizeof(T)));
    CHECK(cudaMemset(found, 0, elements * sizeof(T)));
    return found;
}

template <typename T>
T* on_device(const std::vector<T>& given) {
    T* found = on_device<T>(given.size());
    CHECK(cudaMemcpy(found, given.data(), given.size() * sizeof(T), cudaMemcpyHostToDevice));
    return found;
}

template <typename T>
std::vector<T> on_host(const T* given, size_t elements) {
    std::vector<T> found(elements);
    CHECK(cudaMemcpy(found.data(), given, elements * sizeof(T), cudaMemcpyDeviceToHost));
    return found;
}

// Milliseconds of a launch: the median of 15, after two that warm up.
template <typename Launch>
double median_ms(Launch launch, int runs = 15) {
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    std::vector<float> all;
    for (int run = -2; run < runs; ++run) {
        CHECK(cudaEventRecord(from));
        launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, from, to));
        if (run >= 0) all.push_back(ms);
    }
    CHECK(cudaGetLastError());
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}
