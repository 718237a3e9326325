// Calls what there is of cuBLAS and cuBLASLt, and prints all results.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <vector>

const int m = 5, n = 4, k = 3, batch = 2, room = 64;
template <class T> T number(int i) { return T((float)(i * 7 % 11 - 5) / 4); }
template <class T> T *upload(int first, int count) {
    std::vector<T> values(count);
    for (int i = 0; i < count; ++i) values[i] = number<T>(first + i);
    T *made;
    cudaMalloc(&made, count * sizeof(T));
    cudaMemcpy(made, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    return made;
}
template <class T> void show(const char *name, const T *device, int count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDefault);
    printf("%s", name);
    for (T each : values) printf(" %.9g", (double)(float)each);
    printf("\n");
}
#define GEMM(letter, T)                                                                              \
    for (int turn = 0; turn < 4; ++turn) {                                                           \
        auto of_a = turn & 1 ? CUBLAS_OP_T : CUBLAS_OP_N, of_b = turn & 2 ? CUBLAS_OP_T : CUBLAS_OP_N; \
        T alpha = T(0.5f), beta = T(turn ? 2.0f : 0.0f);                                             \
        T *a = upload<T>(0, room), *b = upload<T>(3, room), *c = upload<T>(5, room);                 \
        cublas##letter##gemm(handle, of_a, of_b, m, n, k, &alpha, a, 6, b, 7, &beta, c, 8);          \
        show(#letter "gemm", c, 32);                                                                 \
    }                                                                                                \
    {                                                                                                \
        T alpha = T(1.0f), beta = T(1.0f), *a = upload<T>(0, room), *b = upload<T>(3, room);         \
        T *c = upload<T>(5, room), *pointers[6] = {a, a + 15, b, b, c, c + 20}, **table;             \
        cublas##letter##gemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, m,  \
                                           15, b, k, 0, &beta, c, m, 20, batch);                     \
        cudaMalloc(&table, sizeof pointers);                                                         \
        cudaMemcpy(table, pointers, sizeof pointers, cudaMemcpyHostToDevice);                        \
        cublas##letter##gemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, table, m,     \
                                    table + 2, k, &beta, table + 4, m, batch);                       \
        show(#letter "gemmBatched", c, 40);                                                          \
    }
#define VECTORS(letter, small, T)                                                      \
    {                                                                                  \
        T alpha = T(0.5), beta = T(2), found[3];                                       \
        int at[2];                                                                     \
        T *x = upload<T>(0, room), *y = upload<T>(3, room), *a = upload<T>(5, room);   \
        cublas##letter##axpy(handle, 6, &alpha, x, 2, y, 1);                           \
        cublas##letter##scal(handle, 4, &beta, y, 3);                                  \
        cublas##letter##swap(handle, 5, x, 1, y, 2);                                   \
        cublas##letter##copy(handle, 5, x, -1, x + 20, 1);                             \
        cublas##letter##dot(handle, 9, x, 1, y, -2, &found[0]);                        \
        cublas##letter##nrm2(handle, 9, x, 2, &found[1]);                              \
        cublas##letter##asum(handle, 9, y, 1, &found[2]);                              \
        cublasI##small##amax(handle, 9, y, 1, &at[0]);                                 \
        cublasI##small##amin(handle, 9, x, 2, &at[1]);                                 \
        show(#letter " x", x, 25);                                                     \
        show(#letter " y", y, 20);                                                     \
        show(#letter " found", found, 3);                                              \
        show(#letter " at", at, 2);                                                    \
        cublas##letter##gemv(handle, CUBLAS_OP_N, m, n, &alpha, a, 6, x, 1, &beta, y, 2); \
        cublas##letter##gemv(handle, CUBLAS_OP_T, m, n, &alpha, a, 6, x, -2, &beta, y, 1); \
        show(#letter "gemv", y, 20);                                                   \
        cublas##letter##ger(handle, m, n, &alpha, x, 1, y, 2, a, 6);                   \
        show(#letter "ger", a, 24);                                                    \
        cublas##letter##geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &alpha, a, 6, &beta, x, 5, y, 7); \
        show(#letter "geam", y, 35);                                                   \
    }

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    GEMM(S, float)
    GEMM(D, double)
    GEMM(H, __half)
    VECTORS(S, s, float)
    VECTORS(D, d, double)

    float one = 1, zero = 0, *device = upload<float>(1, 4), *out = upload<float>(0, room);
    __half *a = upload<__half>(0, room), *b = upload<__half>(3, room);
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &one, a, CUDA_R_16F, m, b, CUDA_R_16F, n,
                 &zero, out, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    show("GemmEx", out, 20);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSdot(handle, 10, out, 1, out, 1, device + 2);
    cublasSscal(handle, 3, device + 1, out, 1);
    show("device", device, 4);
    show("scaled", out, 4);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);

    cublasLtHandle_t lt;
    cublasLtMatmulDesc_t how;
    cublasLtMatrixLayout_t of_a, of_b, of_c;
    cublasLtEpilogue_t last = CUBLASLT_EPILOGUE_GELU_BIAS;
    cublasOperation_t turned = CUBLAS_OP_T;
    float *bias = upload<float>(2, m), *left = upload<float>(0, room), *right = upload<float>(3, room);
    cublasLtCreate(&lt);
    cublasLtMatmulDescCreate(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned);
    cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_EPILOGUE, &last, sizeof last);
    cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
    cublasLtMatrixLayoutCreate(&of_a, CUDA_R_32F, k, m, k);
    cublasLtMatrixLayoutCreate(&of_b, CUDA_R_32F, k, n, k);
    cublasLtMatrixLayoutCreate(&of_c, CUDA_R_32F, m, n, m);
    cublasLtMatmul(lt, how, &one, left, of_a, right, of_b, &zero, out, of_c, out, of_c, nullptr, nullptr,
                   0, 0);
    show("Lt", out, 20);

    puts(cublasGetStatusString(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, left, m - 1,
                                           right, k, &zero, out, m)));
    puts(cublasGetStatusString(cublasSaxpy(nullptr, 1, &one, left, 1, right, 1)));
    cublasSasum(handle, 1000, left, 1, &zero);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
