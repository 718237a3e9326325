// Sums of 256 threads in shared memory: which thread adds which pair.
#include "common.cuh"

template <typename Step>
__device__ void summed(const float* in, float* out, Step step) {
    __shared__ float part[256];
    part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    step(part);
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void interleaved(const float* in, float* out) {
    summed(in, out, [](float* part) {
        for (int d = 1; d < 256; d *= 2) {
            const int i = 2 * d * threadIdx.x;
            if (i < 256) part[i] += part[i + d];
            __syncthreads();
        }
    });
}

__global__ void modulo(const float* in, float* out) {
    summed(in, out, [](float* part) {
        const int t = threadIdx.x;
        for (int d = 1; d < 256; d *= 2) {
            if (t % (2 * d) == 0) part[t] += part[t + d];
            __syncthreads();
        }
    });
}

__global__ void sequential(const float* in, float* out) {
    summed(in, out, [](float* part) {
        const int t = threadIdx.x;
        for (int d = 128; d > 0; d /= 2) {
            if (t < d) part[t] += part[t + d];
            __syncthreads();
        }
    });
}

int main() {
    std::vector<float> ones(256);
    for (int i = 0; i < 256; ++i) ones[i] = float(i % 7);
    const float* in = on_device(ones);
    float* out = on_device<float>(3);
    named("interleaved"), interleaved<<<1, 256>>>(in, out);
    named("modulo"), modulo<<<1, 256>>>(in, out + 1);
    named("sequential"), sequential<<<1, 256>>>(in, out + 2);
    CHECK(cudaDeviceSynchronize());
    float sum = 0;
    for (float one : ones) sum += one;
    const auto found = on_host(out, 3);
    const char* names[] = {"interleaved", "modulo", "sequential"};
    for (int i = 0; i < 3; ++i) figure(names[i], "right", found[i] == sum, "");
}
