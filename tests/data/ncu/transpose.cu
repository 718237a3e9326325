// Three kernels whose counters an H200 recorded: transpose-*.csv, by `ncu --set full`.
#include <cstdio>
#include <cstdlib>

constexpr int N = 1024, TILE = 32;

__global__ void transpose(const float* in, float* out) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += 8)
        tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * N + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += 8)
        out[(y + r) * N + x] = tile[threadIdx.x][threadIdx.y + r];
}

__global__ void columns(const float* in, float* out) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k)
        sum += in[row * N + k];
    out[row] = sum;
}

__global__ void scale(float* out, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = by * out[i];
}

int main() {
    float *in, *out, *host = (float*)malloc(N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i)
        host[i] = i % 101;
    cudaMalloc(&in, N * N * sizeof(float));
    cudaMalloc(&out, N * N * sizeof(float));
    cudaMemcpy(in, host, N * N * sizeof(float), cudaMemcpyHostToDevice);
    transpose<<<dim3(N / TILE, N / TILE), dim3(TILE, 8)>>>(in, out);
    scale<<<N * N / 256, 256>>>(out, 2.0f);
    columns<<<N / 128, 128>>>(in, out);
    cudaMemcpy(host, out, N * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.0f\n", host[3]);
    cudaFree(in);
    cudaFree(out);
    free(host);
}
