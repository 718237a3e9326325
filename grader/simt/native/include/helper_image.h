// What CUDA's samples take from their folder Common to compare and write data; no images.
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
