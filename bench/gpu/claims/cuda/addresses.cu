// 16-byte stores into rows of 129 floats, and the banks that a popular check prints: `addresses CASE K`.
#include "common.cuh"

__global__ void wide_store(float4 v, int k, int m, float* out) {
    __shared__ __align__(16) float As[8][128 + 1];
    *reinterpret_cast<float4*>(&As[k][m]) = v;
    __syncthreads();
    out[threadIdx.x] = As[k][m + threadIdx.x];
}

__global__ void banks(int k) {
    __shared__ float Bs[32][32];
    for (int i = 0; i < 32; i++)
        printf("lane %d: bank %u\n", i, (unsigned)(uintptr_t)&Bs[k][i] / 4 % 32);
}

int main(int many, char** values) {
    if (many < 3) return 2;
    const int k = std::atoi(values[2]);
    if (std::strcmp(values[1], "banks") == 0) {
        banks<<<1, 1>>>(k);
    } else {
        wide_store<<<1, 4>>>(make_float4(1, 2, 3, 4), k, 8, on_device<float>(4));
    }
    const cudaError_t found = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(found));
}
