// GEMMs with one output a thread: tiles of 32 or 16, padded or not, B as it is or transposed.
#include "common.cuh"

template <int T, int PAD, bool TRANSPOSED>
__global__ void gemm(const float* A, const float* B, float* C, int n) {
    __shared__ float As[T][T + PAD], Bs[T][T + PAD];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    float sum = 0;
    for (int from = 0; from < n; from += T) {
        As[ty][tx] = A[row * n + from + tx];
        // Transposed: B holds its columns as rows, and so does the tile.
        Bs[ty][tx] = TRANSPOSED ? B[(blockIdx.x * T + ty) * n + from + tx] : B[(from + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += As[ty][k] * (TRANSPOSED ? Bs[tx][k] : Bs[k][tx]);
        __syncthreads();
    }
    C[row * n + column] = sum;
}

template <int T, int PAD, bool TRANSPOSED>
void launch(const float* a, const float* b, float* c, int n) {
    gemm<T, PAD, TRANSPOSED><<<dim3(n / T, n / T), dim3(T, T)>>>(a, b, c, n);
    CHECK(cudaGetLastError());
}

// Integers below 8: every sum is exact.
bool right(const float* a, const float* b, const float* c, int n, bool transposed) {
    auto A = on_host(a, size_t(n) * n), B = on_host(b, size_t(n) * n), C = on_host(c, size_t(n) * n);
    for (int row = 0; row < n; row += 7)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum += A[row * n + k] * (transposed ? B[column * n + k] : B[k * n + column]);
            if (sum != C[row * n + column]) return false;
        }
    return true;
}

template <int T, int PAD, bool TRANSPOSED>
void each(const char* name, bool count, float* a, float* b, float* c) {
    const std::string kernel = name;
    if (count) {
        for (int n : {256, 2048}) {
            named(kernel + " " + std::to_string(n));
            launch<T, PAD, TRANSPOSED>(a, b, c, n);
        }
        return;
    }
    launch<T, PAD, TRANSPOSED>(a, b, c, 256);
    CHECK(cudaDeviceSynchronize());
    figure(kernel, "right", right(a, b, c, 256, TRANSPOSED), "");
    figure(kernel, "ms of 4096", median_ms([&] { launch<T, PAD, TRANSPOSED>(a, b, c, 4096); }), "ms");
}

int main(int many, char** values) {
    const bool count = counting(many, values);
    const size_t elements = size_t(4096) * 4096;
    std::vector<float> numbers(elements);
    for (size_t i = 0; i < elements; ++i) numbers[i] = float((i * 2654435761u >> 16) % 8);
    float *a = on_device(numbers), *b = on_device(numbers), *c = on_device<float>(elements);
    each<32, 0, false>("32x32", count, a, b, c);
    each<32, 1, false>("32x32, 33 columns", count, a, b, c);
    each<32, 0, true>("32x32, B transposed", count, a, b, c);
    each<32, 1, true>("32x32, B transposed, 33 columns", count, a, b, c);
    each<16, 0, false>("16x16", count, a, b, c);
    each<16, 1, false>("16x16, 17 columns", count, a, b, c);
    CHECK(cudaDeviceSynchronize());
}
