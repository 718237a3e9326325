// What CUDA's samples take from their folder Common to read options and to take times.
#pragma once

#include "cuda_runtime.h"
#include "helper_image.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define SPRINTF sprintf

// Return what follows the name of an option `--name=value`; null without the option.
static inline const char *quiz_option(int count, const char **words, const char *name) {
    for (int at = 1; at < count; ++at) {
        const char *word = words[at];
        while (*word == '-') ++word;
        size_t length = strlen(name);
        if (!strncmp(word, name, length) && (!word[length] || word[length] == '='))
            return word[length] ? word + length + 1 : "";
    }
    return nullptr;
}
static inline bool checkCmdLineFlag(int count, const char **words, const char *name) {
    return quiz_option(count, words, name) != nullptr;
}
static inline int getCmdLineArgumentInt(int count, const char **words, const char *name) {
    const char *found = quiz_option(count, words, name);
    return found ? atoi(found) : 0;
}
static inline float getCmdLineArgumentFloat(int count, const char **words, const char *name) {
    const char *found = quiz_option(count, words, name);
    return found ? (float)atof(found) : 0;
}
static inline bool getCmdLineArgumentString(int count, const char **words, const char *name,
                                            char **value) {
    const char *found = quiz_option(count, words, name);
    *value = (char *)found;
    return found != nullptr;
}
// Here, beside the program, or in the folder `data` of either.
static inline char *sdkFindFilePath(const char *name, const char *program) {
    const char *end = program == nullptr ? nullptr : strrchr(program, '/');
    std::string beside = end == nullptr ? "" : std::string(program, end + 1);
    for (const std::string &folder : {std::string(), std::string("data/"), beside, beside + "data/"}) {
        std::string path = folder + name;
        FILE *file = fopen(path.c_str(), "rb");
        if (file == nullptr) continue;
        fclose(file);
        return strdup(path.c_str());
    }
    return nullptr;
}

struct StopWatchInterface {
    double begun, total;
    int times;
};
static inline bool sdkCreateTimer(StopWatchInterface **made) {
    *made = new StopWatchInterface{0, 0, 0};
    return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
static inline bool sdkStartTimer(StopWatchInterface **timer) {
    (*timer)->begun = quiz::now();
    return true;
}
static inline bool sdkStopTimer(StopWatchInterface **timer) {
    (*timer)->total += quiz::now() - (*timer)->begun;
    (*timer)->times += 1;
    return true;
}
static inline bool sdkResetTimer(StopWatchInterface **timer) {
    **timer = {quiz::now(), 0, 0};
    return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **timer) { return (float)(*timer)->total; }
static inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return (*timer)->times ? (float)((*timer)->total / (*timer)->times) : 0;
}
template <class T>
static inline bool quiz_equal(const T *one, const T *other, size_t count, float most, float share) {
    size_t apart = 0;
    for (size_t at = 0; at < count; ++at)
        apart += fabs((double)one[at] - (double)other[at]) > most;
    return (float)apart <= share * (float)count;
}
template <class T>
static inline bool compareData(const T *one, const T *other, unsigned count, float most,
                               float share = 0) {
    return quiz_equal(one, other, count, most, share);
}
