// Functors of a program that an algorithm calls on the CPU, though a device would call them.
#pragma once

#include "cuda_runtime.h"

namespace quiz {

// Let the pointers to device memory that an object holds lead to where this process has it. A
// kernel of the library would reach that memory; what it may have written counts as written.
template <class F> void bring(F &object) {
    if (alignof(F) < alignof(void *)) return;  // it holds no pointer
    for (size_t at = 0; at + sizeof(void *) <= sizeof(F); at += sizeof(void *)) {
        void *held;
        memcpy((void *)&held, (const char *)&object + at, sizeof held);
        if (!is_device(held)) continue;
        Locked locked;
        Block *block = find(held);
        if (block == nullptr || !block->live || (uint64_t)held < block->start ||
            (uint64_t)held > block->start + block->size)
            continue;
        announce_copy((const void *)block->start, block->size, nullptr, 0, block->size, 1);
        held = block->host + ((uint64_t)held - block->start);
        memcpy((char *)&object + at, (const void *)&held, sizeof held);
    }
}
// Functors that are called as long as this lives: a crash meanwhile is theirs.
struct Called {
    template <class... F> Called(F &...functions) {
        ++state().calls;
        (bring(functions), ...);
    }
    ~Called() { --state().calls; }
};

}  // namespace quiz
