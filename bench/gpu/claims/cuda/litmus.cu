// Litmus tests of the memory model: two threads of different blocks, two words.
#include <cuda/atomic>

#include "common.cuh"

constexpr int TESTS = 1 << 20, APART = 64;  // words: two lines of 128 bytes

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

enum Order { RELAXED, FENCE, RELEASE };

template <Order ORDER>
__device__ void between() {
    if (ORDER == FENCE) __threadfence();
}

// Blocks work in pairs on different SMs. Each test has its own words, and both sides start it together.
__device__ void meet(unsigned* arrived, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < 2 * round) {}
    }
    __syncthreads();
}

// Message passing: one side stores data, then a flag; the other loads the flag, then the data.
template <Order ORDER>
__global__ void messages(unsigned* data, unsigned* flags, unsigned* arrived, int rounds, unsigned* wrong) {
    const int pair = blockIdx.x / 2;
    for (int round = 0; round < rounds; ++round) {
        const size_t i = (size_t(round) * gridDim.x / 2 + pair) * blockDim.x + threadIdx.x;
        unsigned &value = data[i * APART], &flag = flags[(i * 7919 % TESTS) * APART];
        meet(&arrived[32 * pair], round + 1);
        if (blockIdx.x % 2 == 0) {
            Word(value).store(1, cuda::memory_order_relaxed);
            between<ORDER>();
            Word(flag).store(1, ORDER == RELEASE ? cuda::memory_order_release : cuda::memory_order_relaxed);
        } else {
            const unsigned seen = Word(flag).load(ORDER == RELEASE ? cuda::memory_order_acquire : cuda::memory_order_relaxed);
            between<ORDER>();
            const unsigned found = Word(value).load(cuda::memory_order_relaxed);
            if (seen) atomicAdd(&wrong[0], 1u);
            if (seen && !found) atomicAdd(&wrong[1], 1u);
        }
    }
}

// Each side stores its own word, then loads the other's. Without a fence both may load 0.
template <Order ORDER>
__global__ void crossings(unsigned* data, unsigned* flags, unsigned* arrived, int rounds, unsigned* results) {
    const int pair = blockIdx.x / 2, side = blockIdx.x % 2;
    for (int round = 0; round < rounds; ++round) {
        const size_t i = (size_t(round) * gridDim.x / 2 + pair) * blockDim.x + threadIdx.x;
        unsigned &one = data[i * APART], &other = flags[(i * 7919 % TESTS) * APART];
        meet(&arrived[32 * pair], round + 1);
        Word(side ? other : one).store(1, cuda::memory_order_relaxed);
        between<ORDER>();
        results[2 * i + side] = Word(side ? one : other).load(cuda::memory_order_relaxed);
    }
}

int main() {
    const int threads = 256, blocks = 128, rounds = TESTS / (threads * blocks / 2);
    unsigned *data = on_device<unsigned>(size_t(TESTS) * APART), *flags = on_device<unsigned>(size_t(TESTS) * APART);
    unsigned *arrived = on_device<unsigned>(32 * blocks), *wrong = on_device<unsigned>(2), *results = on_device<unsigned>(2 * TESTS);
    const auto fresh = [&] {
        CHECK(cudaMemset(data, 0, size_t(TESTS) * APART * 4));
        CHECK(cudaMemset(flags, 0, size_t(TESTS) * APART * 4));
        CHECK(cudaMemset(arrived, 0, 32 * blocks * 4));
    };
    const auto message = [&](const char* name, auto kernel) {
        CHECK(cudaMemset(wrong, 0, 8));
        for (int run = 0; run < 20; ++run) {
            fresh();
            kernel<<<blocks, threads>>>(data, flags, arrived, rounds, wrong);
            FINISH();
        }
        figure(name, "flags that were seen, of 20 * 1048576", on_host(wrong, 2)[0], "words");
        figure(name, "seen without the data", on_host(wrong, 2)[1], "words");
    };
    message("message passing, relaxed", messages<RELAXED>);
    message("message passing, __threadfence()", messages<FENCE>);
    message("message passing, release and acquire", messages<RELEASE>);
    const auto crossing = [&](const char* name, auto kernel) {
        size_t both = 0;
        for (int run = 0; run < 20; ++run) {
            fresh();
            kernel<<<blocks, threads>>>(data, flags, arrived, rounds, results);
            FINISH();
            const auto found = on_host(results, 2 * TESTS);
            for (int i = 0; i < TESTS; ++i) both += !found[2 * i] && !found[2 * i + 1];
        }
        figure(name, "both read 0, of 20 * 1048576", double(both), "words");
    };
    crossing("store, then read the other's, relaxed", crossings<RELAXED>);
    crossing("store, then read the other's, __threadfence()", crossings<FENCE>);
}
