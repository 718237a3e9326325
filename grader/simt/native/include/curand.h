// cuRAND's host interface, on the CPU: numbers of the asked distributions, and not cuRAND's own.
#pragma once

#include "quiz_numbers.h"

enum curandStatus_t {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
};
enum curandRngType_t {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201
};
typedef curandRngType_t curandRngType;
typedef curandStatus_t curandStatus;
enum curandOrdering_t {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_QUASI_DEFAULT = 201
};
struct curandGenerator_st {
    bool of_host;
    uint64_t seed, drawn;
};
typedef curandGenerator_st *curandGenerator_t;

namespace quiz {

// Draw number `drawn` of a generator: 64 bits that SplitMix64 mixes.
inline uint64_t draw(curandGenerator_t of) {
    uint64_t mixed = of->seed + 0x9e3779b97f4a7c15ull * ++of->drawn;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return mixed ^ mixed >> 31;
}
inline double draw_uniform(curandGenerator_t of) {  // above 0, up to 1
    return (double)((draw(of) >> 11) + 1) * 1.1102230246251565e-16;
}
inline double draw_normal(curandGenerator_t of) {
    double radius = sqrt(-2 * log(draw_uniform(of)));
    return radius * cos(6.283185307179586 * draw_uniform(of));
}
inline unsigned draw_poisson(curandGenerator_t of, double mean) {
    if (mean > 500) {
        double near = mean + sqrt(mean) * draw_normal(of) + 0.5;
        return near < 0 ? 0 : (unsigned)near;
    }
    double product = draw_uniform(of), least = exp(-mean);
    unsigned count = 0;
    for (; product > least; ++count) product *= draw_uniform(of);
    return count;
}
template <class T, class F>
curandStatus_t generate(curandGenerator_t of, T *to, size_t n, const char *name, const char *file,
                        int line, F next) {
    if (of == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    Locked locked;
    tell_library("cuRAND");
    if (of->of_host && is_device(to)) return CURAND_STATUS_LAUNCH_FAILURE;
    T *memory = of->of_host ? to : (T *)reach_device(to, n * sizeof(T), name, file, line);
    if (memory == nullptr) return CURAND_STATUS_LAUNCH_FAILURE;
    for (size_t at = 0; at < n; ++at) memory[at] = (T)next();
    if (!of->of_host) announce_copy(to, n * sizeof(T), nullptr, 0, n * sizeof(T), 1);
    return CURAND_STATUS_SUCCESS;
}

}  // namespace quiz

static inline curandStatus_t quiz_make_generator(curandGenerator_t *made, curandRngType_t kind, bool of_host) {
    if (kind >= CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR;  // no such numbers here
    *made = new curandGenerator_st{of_host, 0, 0};
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandCreateGenerator(curandGenerator_t *made, curandRngType_t kind) {
    return quiz_make_generator(made, kind, false);
}
static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *made, curandRngType_t kind) {
    return quiz_make_generator(made, kind, true);
}
static inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                                unsigned long long seed) {
    generator->seed = seed;
    generator->drawn = 0;
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                      unsigned long long offset) {
    generator->drawn = offset;
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) {
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t) {
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
static inline curandStatus_t curandGetVersion(int *version) {
    *version = 10400;
    return CURAND_STATUS_SUCCESS;
}
#define QUIZ_GENERATE(name, T, parameters, next)                                                     \
    static inline curandStatus_t curandGenerate##name(curandGenerator_t of, T *to, size_t n parameters, \
                                                      QUIZ_HERE) {                                   \
        return quiz::generate(of, to, n, "curandGenerate" #name, quiz_file, quiz_line,               \
                              [=] { return next; });                                                 \
    }
#define QUIZ_COMMA ,
#define QUIZ_MEAN(T) QUIZ_COMMA T mean QUIZ_COMMA T deviation
QUIZ_GENERATE(, unsigned int, , quiz::draw(of))
QUIZ_GENERATE(LongLong, unsigned long long, , quiz::draw(of))
QUIZ_GENERATE(Uniform, float, , (float)((double)((quiz::draw(of) >> 40) + 1) * 5.9604644775390625e-08))
QUIZ_GENERATE(UniformDouble, double, , quiz::draw_uniform(of))
QUIZ_GENERATE(Normal, float, QUIZ_MEAN(float), mean + deviation * quiz::draw_normal(of))
QUIZ_GENERATE(NormalDouble, double, QUIZ_MEAN(double), mean + deviation * quiz::draw_normal(of))
QUIZ_GENERATE(LogNormal, float, QUIZ_MEAN(float), exp(mean + deviation * quiz::draw_normal(of)))
QUIZ_GENERATE(LogNormalDouble, double, QUIZ_MEAN(double), exp(mean + deviation * quiz::draw_normal(of)))
QUIZ_GENERATE(Poisson, unsigned int, QUIZ_COMMA double mean, quiz::draw_poisson(of, mean))
#undef QUIZ_GENERATE
#undef QUIZ_MEAN
#undef QUIZ_COMMA
