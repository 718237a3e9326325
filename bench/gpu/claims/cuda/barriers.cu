// A barrier that not every thread reaches: `barriers CASE THREADS`; synccheck and a plain run look on.
#include "common.cuh"

__global__ void others_go_on(int* out) {
    __shared__ int part[1024];
    part[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 48) __syncthreads();
    out[threadIdx.x] = part[threadIdx.x];
}

__global__ void others_meet_a_later_one(int* out) {
    __shared__ int part[1024];
    part[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32) __syncthreads();
    part[threadIdx.x] += 1;
    __syncthreads();
    out[threadIdx.x] = part[(threadIdx.x + 1) % blockDim.x];
}

__global__ void others_have_left(int* out) {
    __shared__ int part[1024];
    if (threadIdx.x >= 48) return;
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = part[(threadIdx.x + 1) % 48];
}

__global__ void nothing_follows(int* out) {
    __shared__ int part[1024];
    if (threadIdx.x < 32) {
        part[threadIdx.x] = threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = part[(threadIdx.x + 1) % 32];
    }
}

__global__ void never_stored(int* out) {
    __shared__ int part[1024];
    out[threadIdx.x] = part[threadIdx.x];
}

int main(int many, char** values) {
    if (many < 3) return 2;
    const std::string name = values[1];
    const int threads = std::atoi(values[2]);
    int* out = on_device<int>(1024);
    if (name == "others-go-on") others_go_on<<<1, threads>>>(out);
    if (name == "others-meet-a-later-one") others_meet_a_later_one<<<1, threads>>>(out);
    if (name == "others-have-left") others_have_left<<<1, threads>>>(out);
    if (name == "nothing-follows") nothing_follows<<<1, threads>>>(out);
    if (name == "never-stored") never_stored<<<1, threads>>>(out);
    CHECK(cudaDeviceSynchronize());
    std::printf("ended without an error\n");
}
