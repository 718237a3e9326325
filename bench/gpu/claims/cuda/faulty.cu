// Small bugs, one per kernel, for compute-sanitizer: `faulty CASE`.
#include "common.cuh"

// Missing barrier between a store and another warp's load.
__global__ void race(int* out) {
    __shared__ int part[256];
    part[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = part[255 - threadIdx.x];
}

// The same within one warp, without __syncwarp().
__global__ void race_in_a_warp(int* out) {
    __shared__ int part[32];
    part[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = part[31 - threadIdx.x];
}

// Missing barrier after the loads: the next iteration stores too early.
__global__ void race_of_rounds(int* out) {
    __shared__ int part[256];
    int sum = 0;
    for (int round = 0; round < 4; ++round) {
        part[threadIdx.x] = threadIdx.x + round;
        __syncthreads();
        sum += part[255 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

__global__ void barrier_in_a_branch(int* out) {
    __shared__ int part[256];
    part[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 48) __syncthreads();
    out[threadIdx.x] = part[threadIdx.x];
}

__global__ void past_the_end_of_shared(int* out) {
    __shared__ int part[256];
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x + (out[0] == 0)];
}

__global__ void past_the_end_of_dynamic(int* out) {
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[threadIdx.x + (out[0] == 0)];
}

__global__ void past_the_end_of_global(int* out) { out[threadIdx.x + 1] = threadIdx.x; }

__global__ void never_written_global(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void never_written_shared(int* out) {
    __shared__ int part[256];
    out[threadIdx.x] = part[threadIdx.x];
}

// The mask names all lanes, but half of them do not participate.
__global__ void shuffle_in_a_branch(int* out) {
    int found = threadIdx.x;
    if (threadIdx.x < 16) found = __shfl_xor_sync(~0u, found, 1);
    out[threadIdx.x] = found;
}

int main(int many, char** values) {
    if (many < 2) return 2;
    const std::string name = values[1];
    int *out = nullptr, *in = nullptr;
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMalloc(&in, 1024));
    CHECK(cudaMemset(out, 0, 1024));
    if (name == "race") race<<<1, 256>>>(out);
    if (name == "race-in-a-warp") race_in_a_warp<<<1, 32>>>(out);
    if (name == "race-of-rounds") race_of_rounds<<<1, 256>>>(out);
    if (name == "barrier-in-a-branch") barrier_in_a_branch<<<1, 256>>>(out);
    if (name == "past-the-end-of-shared") past_the_end_of_shared<<<1, 256>>>(out);
    if (name == "past-the-end-of-dynamic") past_the_end_of_dynamic<<<1, 256, 1024>>>(out);
    if (name == "past-the-end-of-global") past_the_end_of_global<<<1, 256>>>(out);
    if (name == "past-the-last-allocation") past_the_end_of_global<<<1, 256>>>(in);
    if (name == "never-written-global") never_written_global<<<1, 256>>>(in, out);
    if (name == "never-written-shared") never_written_shared<<<1, 256>>>(out);
    if (name == "shuffle-in-a-branch") shuffle_in_a_branch<<<1, 32>>>(out);
    FINISH();
    std::printf("ended without an error\n");
}
