// Atomic additions of one warp to shared memory, as nvcc compiles them.
#include "common.cuh"

__global__ void same_key_result_used(const int* key, unsigned v, unsigned* out) {
    __shared__ unsigned bins[64];
    out[threadIdx.x] = atomicAdd(&bins[key[threadIdx.x]], v);
}

__global__ void one_counter_result_used(unsigned v, unsigned* out) {
    __shared__ unsigned counter;
    out[threadIdx.x] = atomicAdd(&counter, v);
}

__global__ void one_counter(unsigned v, unsigned* out) {
    __shared__ unsigned counter;
    atomicAdd(&counter, v);
    __syncthreads();
    out[threadIdx.x] = counter;
}

__global__ void one_counter_of_ones(unsigned* out) {
    __shared__ unsigned counter;
    atomicAdd(&counter, 1);
    __syncthreads();
    out[threadIdx.x] = counter;
}

__global__ void same_key_one(const int* key, unsigned* out) {
    __shared__ unsigned bins[64];
    atomicAdd(&bins[key[threadIdx.x]], 1);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void same_key_two(const int* key, unsigned* out) {
    __shared__ unsigned bins[64];
    atomicAdd(&bins[key[threadIdx.x]], 2);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void same_key_variable(const int* key, unsigned v, unsigned* out) {
    __shared__ unsigned bins[64];
    atomicAdd(&bins[key[threadIdx.x]], v);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void same_key_one_result_used(const int* key, unsigned* out) {
    __shared__ unsigned bins[64];
    out[threadIdx.x] = atomicAdd(&bins[key[threadIdx.x]], 1);
}

__global__ void four_bins_ranks(unsigned* out) {
    __shared__ unsigned bins[4];
    out[threadIdx.x] = atomicAdd(&bins[threadIdx.x % 4], 1);
}

int main() {
    const int* key = on_device(std::vector<int>(32, 5));
    unsigned* out = on_device<unsigned>(64);
    named("bins[key], v, result used"), same_key_result_used<<<1, 32>>>(key, 3, out);
    named("counter, v, result used"), one_counter_result_used<<<1, 32>>>(3, out);
    named("counter, v"), one_counter<<<1, 32>>>(3, out);
    named("counter, 1"), one_counter_of_ones<<<1, 32>>>(out);
    named("bins[key], 1"), same_key_one<<<1, 32>>>(key, out);
    named("bins[key], 2"), same_key_two<<<1, 32>>>(key, out);
    named("bins[key], v"), same_key_variable<<<1, 32>>>(key, 3, out);
    named("bins[key], 1, result used"), same_key_one_result_used<<<1, 32>>>(key, out);
    named("bins[i % 4], 1, result used"), four_bins_ranks<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
}
