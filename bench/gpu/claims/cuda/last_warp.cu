// The last warp of a reduction, written for warps in lockstep: is the sum still right for sm_90?
#include "common.cuh"

constexpr int BLOCKS = 4096;

// Reduces to one warp with barriers, then calls `last` for its 32 lanes.
template <typename Last>
__device__ void reduce(const int* in, int* out, Last last) {
    __shared__ int part[256];
    const unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned d = 128; d > 32; d /= 2) {
        if (t < d) part[t] += part[t + d];
        __syncthreads();
    }
    if (t < 32) last(part, t);
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void plain(const int* in, int* out) {
    reduce(in, out, [](int* part, unsigned t) {
        part[t] += part[t + 32];
        part[t] += part[t + 16];
        part[t] += part[t + 8];
        part[t] += part[t + 4];
        part[t] += part[t + 2];
        part[t] += part[t + 1];
    });
}

__global__ void of_volatile(const int* in, int* out) {
    reduce(in, out, [](volatile int* part, unsigned t) {
        part[t] += part[t + 32];
        part[t] += part[t + 16];
        part[t] += part[t + 8];
        part[t] += part[t + 4];
        part[t] += part[t + 2];
        part[t] += part[t + 1];
    });
}

// Each step in its own branch: nothing guarantees that the lanes reconverge in between.
__global__ void of_volatile_in_branches(const int* in, int* out) {
    reduce(in, out, [](volatile int* part, unsigned t) {
        if (t < 32) part[t] += part[t + 32];
        if (t < 16) part[t] += part[t + 16];
        if (t < 8) part[t] += part[t + 8];
        if (t < 4) part[t] += part[t + 4];
        if (t < 2) part[t] += part[t + 2];
        if (t < 1) part[t] += part[t + 1];
    });
}

// A loop with one branch per step.
__global__ void plain_loop(const int* in, int* out) {
    reduce(in, out, [](int* part, unsigned t) {
        for (unsigned d = 32; d > 0; d /= 2)
            if (t < d) part[t] += part[t + d];
    });
}

__global__ void plain_with_syncwarp_once_per_step(const int* in, int* out) {
    reduce(in, out, [](int* part, unsigned t) {
        for (unsigned d = 32; d > 0; d /= 2) {
            if (t < d) part[t] += part[t + d];
            __syncwarp();
        }
    });
}

__global__ void two_syncwarps_per_step(const int* in, int* out) {
    reduce(in, out, [](int* part, unsigned t) {
        int sum = part[t];
        for (unsigned d = 32; d > 0; d /= 2) {
            sum += part[t + d];
            __syncwarp();
            part[t] = sum;
            __syncwarp();
        }
    });
}

__global__ void shuffles(const int* in, int* out) {
    reduce(in, out, [](int* part, unsigned t) {
        int sum = part[t] + part[t + 32];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
        part[t] = sum;
    });
}

__global__ void one_instruction(const int* in, int* out) {
    reduce(in, out, [](int* part, unsigned t) { part[t] = __reduce_add_sync(~0u, part[t] + part[t + 32]); });
}

int main(int many, char** values) {
    const bool counted = counting(many, values);
    std::vector<int> numbers(BLOCKS * 256);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = int(i * 2654435761u >> 20);
    std::vector<int> sums(BLOCKS, 0);
    for (size_t i = 0; i < numbers.size(); ++i) sums[i / 256] += numbers[i];
    const int* in = on_device(numbers);
    int* out = on_device<int>(BLOCKS);
    struct Way { const char* name; void (*kernel)(const int*, int*); };
    const Way ways[] = {{"plain", plain},
                        {"volatile", of_volatile},
                        {"volatile, each step in an if", of_volatile_in_branches},
                        {"plain loop, each step in an if", plain_loop},
                        {"loop, __syncwarp after each step", plain_with_syncwarp_once_per_step},
                        {"__syncwarp between read and write, too", two_syncwarps_per_step},
                        {"__shfl_down_sync", shuffles},
                        {"__reduce_add_sync", one_instruction}};
    for (const Way& way : ways) {
        if (counted) {
            named(way.name), way.kernel<<<1, 256>>>(in, out);
            continue;
        }
        CHECK(cudaMemset(out, 0, BLOCKS * sizeof(int)));
        way.kernel<<<BLOCKS, 256>>>(in, out);
        FINISH();
        const auto found = on_host(out, BLOCKS);
        int wrong = 0;
        for (int block = 0; block < BLOCKS; ++block) wrong += found[block] != sums[block];
        figure(way.name, "wrong sums of 4096", wrong, "");
    }
    FINISH();
}
