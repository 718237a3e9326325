// What CUDA's samples take from their folder Common to compare and write data, and for images.
#pragma once

#include "cuda_runtime.h"

static inline bool sdkCompareL2fe(const float *one, const float *other, unsigned count, float most) {
    double apart = 0, whole = 0;
    for (unsigned at = 0; at < count; ++at) {
        apart += ((double)one[at] - other[at]) * ((double)one[at] - other[at]);
        whole += (double)one[at] * one[at];
    }
    return whole > 0 && sqrt(apart / whole) < most;
}
template <class T, class S>
static inline bool sdkWriteFile(const char *name, const T *data, unsigned count, S, bool,
                                bool append = false) {
    FILE *file = fopen(name, append ? "a" : "w");
    if (file == nullptr) return false;
    for (unsigned at = 0; at < count; ++at) fprintf(file, "%g ", (double)data[at]);
    fclose(file);
    return true;
}

// Images of one or three bytes a pixel (PGM and PPM, binary); `channels` is what memory has.
static inline bool quiz_load_image(const char *name, unsigned char **data, unsigned *width,
                                   unsigned *height, unsigned channels) {
    FILE *file = fopen(name, "rb");
    if (file == nullptr) return false;
    char kind = 0;
    unsigned values[3] = {0, 0, 0}, found = 0;
    bool right = fscanf(file, "P%c", &kind) == 1 && kind == (channels == 1 ? '5' : '6');
    while (right && found < 3) {
        int next = fgetc(file);
        if (next == '#')
            while (next != '\n' && next != EOF) next = fgetc(file);
        else if (next >= '0' && next <= '9')
            right = ungetc(next, file) == next && fscanf(file, "%u", &values[found++]) == 1;
        else
            right = next != EOF;
    }
    right = right && fgetc(file) != EOF && values[2] == 255 && values[0] && values[1] &&
            values[0] < 65536 && values[1] < 65536;
    size_t pixels = (size_t)values[0] * values[1];
    unsigned char *made = right ? (unsigned char *)malloc(pixels * channels) : nullptr;
    unsigned stored = channels == 1 ? 1 : 3;
    for (size_t at = 0; right && at < pixels; ++at) {
        right = fread(made + at * channels, 1, stored, file) == stored;
        if (channels == 4) made[at * 4 + 3] = 0;
    }
    fclose(file);
    if (!right) {
        free(made);
        return false;
    }
    *data = made;
    *width = values[0];
    *height = values[1];
    return true;
}
static inline bool quiz_save_image(const char *name, const unsigned char *data, unsigned width,
                                   unsigned height, unsigned channels) {
    FILE *file = fopen(name, "wb");
    if (file == nullptr) return false;
    fprintf(file, "P%c\n%u %u\n255\n", channels == 1 ? '5' : '6', width, height);
    for (size_t at = 0; at < (size_t)width * height; ++at)
        fwrite(data + at * channels, 1, channels == 1 ? 1 : 3, file);
    return fclose(file) == 0;
}
// A pixel is a byte, or a number from 0 to 1.
template <class T>
static inline bool sdkLoadPGM(const char *name, T **data, unsigned *width, unsigned *height) {
    unsigned char *bytes;
    if (!quiz_load_image(name, &bytes, width, height, 1)) return false;
    size_t count = (size_t)*width * *height;
    if (*data == nullptr) *data = (T *)malloc(count * sizeof(T));
    for (size_t at = 0; at < count; ++at)
        (*data)[at] = std::is_integral<T>::value ? (T)bytes[at] : (T)(bytes[at] / 255.0f);
    free(bytes);
    return true;
}
template <class T>
static inline bool sdkSavePGM(const char *name, T *data, unsigned width, unsigned height) {
    size_t count = (size_t)width * height;
    unsigned char *bytes = (unsigned char *)malloc(count);
    for (size_t at = 0; at < count; ++at)
        bytes[at] = (unsigned char)(std::is_integral<T>::value ? data[at] : data[at] * 255);
    bool saved = quiz_save_image(name, bytes, width, height, 1);
    free(bytes);
    return saved;
}
static inline bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned *width,
                                 unsigned *height) {
    return quiz_load_image(name, data, width, height, 4);
}
static inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned width, unsigned height) {
    return quiz_save_image(name, data, width, height, 4);
}
// A sample calls these two of its folder Common itself.
static inline bool __loadPPM(const char *name, unsigned char **data, unsigned *width,
                             unsigned *height, unsigned *channels) {
    *channels = 3;
    return quiz_load_image(name, data, width, height, 3);
}
static inline bool __savePPM(const char *name, unsigned char *data, unsigned width, unsigned height,
                             unsigned channels) {
    return quiz_save_image(name, data, width, height, channels);
}
// True if at most a share of `threshold` of all colors are further apart than `epsilon`.
static inline bool sdkComparePPM(const char *one, const char *other, float epsilon, float threshold,
                                 bool says) {
    unsigned char *data[2] = {nullptr, nullptr};
    unsigned width[2], height[2];
    bool same = sdkLoadPPM4ub(one, &data[0], &width[0], &height[0]) &&
                sdkLoadPPM4ub(other, &data[1], &width[1], &height[1]) && width[0] == width[1] &&
                height[0] == height[1];
    size_t count = same ? (size_t)width[0] * height[0] * 4 : 0, apart = 0;
    for (size_t at = 0; at < count; ++at) apart += abs(data[0][at] - data[1][at]) > epsilon;
    same = same && apart <= threshold * count;
    if (says && !same) fprintf(stderr, "%s and %s differ in %zu colors\n", one, other, apart);
    free(data[0]);
    free(data[1]);
    return same;
}
