// The states of cuRAND's device functions, so that host code can allocate them.
#pragma once

#include "cuda_runtime.h"

struct curandStateXORWOW {
    unsigned int words[12];
};
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t;
struct alignas(16) curandStatePhilox4_32_10 {
    unsigned int words[16];
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
