// A part of cuBLAS, on the CPU: written for quiz, no code of NVIDIA's. Sums are of float or double.
//
// What is here: matrix products of all types but FP8 and complex, alone, strided, and by pointers;
// vectors of float and double; handles, streams, both pointer modes.
#pragma once

#include "quiz_numbers.h"

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1,
                        CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
typedef cudaDataType cublasDataType_t;

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
};
typedef cublasContext *cublasHandle_t;

namespace quiz {

// One call of cuBLAS: its place, and what becomes of it.
struct BlasCall {
    const char *name, *file;
    int line;
    cublasStatus_t status;
    Locked locked;
    BlasCall(cublasHandle_t handle, const char *name, const char *file, int line)
        : name(name), file(file), line(line),
          status(handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS) {
        if (state().sticky != cudaSuccess) status = CUBLAS_STATUS_EXECUTION_FAILED;
        tell_library("cuBLAS");
    }
    bool works() const { return status == CUBLAS_STATUS_SUCCESS; }
    bool require(bool is_right) {
        if (works() && !is_right) status = CUBLAS_STATUS_INVALID_VALUE;
        return works();
    }
    template <class T> T *memory(const T *pointer, size_t count, size_t element = sizeof(T)) {
        if (!works() || count == 0) return nullptr;
        char *found = reach_device(pointer, count * element, name, file, line);
        if (found == nullptr) status = CUBLAS_STATUS_EXECUTION_FAILED;
        return (T *)found;
    }
    // A number that the call is given, or where it leaves one, by the pointer mode of its handle.
    template <class T> T *number(cublasHandle_t handle, const T *pointer, size_t element = sizeof(T)) {
        if (!require(pointer != nullptr)) return nullptr;
        if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) return memory(pointer, 1, element);
        if (is_device(pointer)) require(false);
        return works() ? (T *)pointer : nullptr;
    }
};

// `n` elements that are `step` apart; a negative step begins at the end, as in BLAS.
template <class T> struct Elements {
    T *first;
    ptrdiff_t step;
    const T *device;
    size_t span;
    Elements(BlasCall &call, const T *pointer, int n, int step) : step(step), device(pointer) {
        span = n > 0 ? (size_t)(n - 1) * (size_t)(step < 0 ? -step : step) + 1 : 0;
        call.require(step != 0 && n >= 0);
        first = call.memory(pointer, span);
        if (first != nullptr && step < 0) first += span - 1;
    }
    T &operator[](int at) const { return first[at * step]; }
    void written() const { announce_copy(device, span * sizeof(T), nullptr, 0, span * sizeof(T), 1); }
};

struct Matrix {  // by columns
    cudaDataType type;
    void *data;
    int leading;
    long long stride;  // to the next of a batch, in elements
    const void *at(size_t place) const { return (const char *)data + place * size_of(type); }
};

#pragma GCC push_options
#pragma GCC optimize("O3")
// Compute op(A) times op(B), both laid out by columns: m x k and k x n.
template <class Number>
void multiply(int m, int n, int k, const Number *__restrict__ a, const Number *__restrict__ b,
              Number *__restrict__ sums) {
    const int tile = 256;
    for (int low = 0; low < m; low += tile) {
        int rows = m - low < tile ? m - low : tile;
        for (int column = 0; column < n; column += 4) {
            int wide = n - column < 4 ? n - column : 4;
            Number part[4][tile] = {};
            for (int at = 0; at < k; ++at) {
                const Number *each = a + (size_t)at * m + low;
                for (int next = 0; next < wide; ++next) {
                    Number factor = b[(size_t)(column + next) * k + at];
                    for (int row = 0; row < rows; ++row) part[next][row] += each[row] * factor;
                }
            }
            for (int next = 0; next < wide; ++next)
                for (int row = 0; row < rows; ++row)
                    sums[(size_t)(column + next) * m + low + row] = part[next][row];
        }
    }
}
#pragma GCC pop_options

// Lay a matrix out by columns, transposed if that is asked for.
template <class Number>
void unfold(const Matrix &from, const void *data, bool transposed, int rows, int columns, Number *to) {
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row) {
            size_t at = transposed ? (size_t)row * from.leading + column
                                   : (size_t)column * from.leading + row;
            to[(size_t)column * rows + row] = load_number<Number>(from.type, data, at);
        }
}

struct Product {
    cublasOperation_t of_a, of_b;
    int m, n, k;
    double alpha, beta;
    Matrix a, b, c, d;  // d = alpha a b + beta c
    // What becomes of each sum before it is stored; `context` is the asker's.
    double (*finish)(double value, int row, size_t at, void *context);
    void *context;
};

template <class Number> void run_product(const Product &asked, int batch) {
    int m = asked.m, n = asked.n, k = asked.k;
    Number *a = new Number[(size_t)m * k + 1], *b = new Number[(size_t)k * n + 1];
    Number *sums = new Number[(size_t)m * n + 1];
    const void *from_a = asked.a.at((size_t)(asked.a.stride * batch));
    const void *from_b = asked.b.at((size_t)(asked.b.stride * batch));
    if (k > 0) unfold(asked.a, from_a, asked.of_a != CUBLAS_OP_N, m, k, a);
    if (k > 0) unfold(asked.b, from_b, asked.of_b != CUBLAS_OP_N, k, n, b);
    multiply(m, n, k, a, b, sums);
    const void *before = asked.c.at((size_t)(asked.c.stride * batch));
    void *after = (void *)asked.d.at((size_t)(asked.d.stride * batch));
    for (int column = 0; column < n; ++column)
        for (int row = 0; row < m; ++row) {
            Number value = (Number)asked.alpha * sums[(size_t)column * m + row];
            if (asked.beta != 0)  // C may hold anything where beta is 0
                value += (Number)asked.beta *
                         load_number<Number>(asked.c.type, before, (size_t)column * asked.c.leading + row);
            size_t at = (size_t)column * asked.d.leading + row;
            if (asked.finish != nullptr) value = (Number)asked.finish(value, row, at, asked.context);
            store_number(asked.d.type, after, at, value);
        }
    delete[] a;
    delete[] b;
    delete[] sums;
}

// Check a product, reach its matrices, run each of the batch, and say what was written.
inline void run_batch(BlasCall &call, Product asked, int batch, bool wide) {
    bool turned_a = asked.of_a != CUBLAS_OP_N, turned_b = asked.of_b != CUBLAS_OP_N;
    int m = asked.m, n = asked.n, k = asked.k;
    int rows_a = turned_a ? k : m, rows_b = turned_b ? n : k;
    auto fits = [](int leading, int rows) { return leading >= (rows > 1 ? rows : 1); };
    call.require(m >= 0 && n >= 0 && k >= 0 && batch >= 0 && fits(asked.a.leading, rows_a) &&
                 fits(asked.b.leading, rows_b) && fits(asked.c.leading, m) &&
                 fits(asked.d.leading, m));
    if (call.works() && !(is_known(asked.a.type) && is_known(asked.b.type) &&
                          is_known(asked.c.type) && is_known(asked.d.type)))
        call.status = CUBLAS_STATUS_NOT_SUPPORTED;
    if (!call.works() || m == 0 || n == 0 || batch == 0) return;
    void *written = asked.d.data;
    auto place = [&](Matrix &matrix, int rows, int columns) {
        size_t span = rows && columns ? (size_t)matrix.leading * (columns - 1) + rows : 0;
        if (span && batch > 1) span += (size_t)(matrix.stride * (batch - 1));
        matrix.data = call.memory((char *)matrix.data, span, size_of(matrix.type));
    };
    if (asked.alpha == 0) asked.k = k = 0;
    place(asked.a, rows_a, k == 0 ? 0 : turned_a ? m : k);
    place(asked.b, rows_b, k == 0 ? 0 : turned_b ? k : n);
    if (asked.beta != 0) place(asked.c, m, n);
    place(asked.d, m, n);
    if (!call.works()) return;
    size_t size = size_of(asked.d.type);
    for (int each = 0; each < batch; ++each) {
        if (wide || asked.d.type == CUDA_R_64F || asked.d.type == CUDA_R_32I)
            run_product<double>(asked, each);
        else
            run_product<float>(asked, each);
        announce_copy((char *)written + (size_t)(asked.d.stride * each) * size,
                      (size_t)asked.d.leading * size, nullptr, 0, (size_t)m * size, (size_t)n);
    }
}

inline cudaDataType scale_of(cublasComputeType_t compute) {
    switch (compute) {
        case CUBLAS_COMPUTE_16F:
        case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
        case CUBLAS_COMPUTE_64F:
        case CUBLAS_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
        case CUBLAS_COMPUTE_32I:
        case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
        default: return CUDA_R_32F;
    }
}

inline cublasStatus_t multiply_matrices(BlasCall &call, cublasHandle_t handle, Product asked,
                                        const void *alpha, const void *beta, cudaDataType scale,
                                        int batch) {
    const char *first = call.number(handle, (const char *)alpha, size_of(scale));
    const char *second = call.number(handle, (const char *)beta, size_of(scale));
    if (!call.works()) return call.status;
    asked.alpha = load_number<double>(scale, first);
    asked.beta = load_number<double>(scale, second);
    bool wide = scale == CUDA_R_64F || scale == CUDA_R_32I;
    if (capture_of(handle->stream) == nullptr) {
        run_batch(call, asked, batch, wide);
        return call.status;
    }
    const char *name = call.name, *file = call.file;
    int line = call.line;
    issue(handle->stream, kernel_node, [=] {
        BlasCall again(handle, name, file, line);
        run_batch(again, asked, batch, wide);
        return cudaSuccess;
    });
    return call.status;
}
inline Matrix matrix(cudaDataType type, const void *data, int leading, long long stride = 0) {
    return Matrix{type, (void *)data, leading, stride};
}

template <class T>
cublasStatus_t multiply_pointed(BlasCall &call, cublasHandle_t handle, cublasOperation_t of_a,
                                cublasOperation_t of_b, int m, int n, int k, const T *alpha,
                                const T *const a[], int lda, const T *const b[], int ldb,
                                const T *beta, T *const c[], int ldc, int batch) {
    const cudaDataType type = TypeOf<T>::type;
    auto all_a = call.memory(a, (size_t)batch), all_b = call.memory(b, (size_t)batch);
    auto all_c = call.memory(c, (size_t)batch);
    for (int each = 0; call.works() && each < batch; ++each) {
        Matrix out = matrix(type, all_c[each], ldc);
        Product asked = {of_a, of_b, m, n, k, 0, 0, matrix(type, all_a[each], lda),
                         matrix(type, all_b[each], ldb), out, out, nullptr, nullptr};
        multiply_matrices(call, handle, asked, alpha, beta, type, 1);
    }
    return call.status;
}

}  // namespace quiz

// Handles

static inline const char *cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define QUIZ_STATUS(name) case name: return #name;
        QUIZ_STATUS(CUBLAS_STATUS_SUCCESS)
        QUIZ_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
        QUIZ_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
        QUIZ_STATUS(CUBLAS_STATUS_INVALID_VALUE)
        QUIZ_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
        QUIZ_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
        QUIZ_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
        QUIZ_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
        QUIZ_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
        QUIZ_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef QUIZ_STATUS
    }
    return "unknown";
}
static inline const char *cublasGetStatusString(cublasStatus_t status) {
    return cublasGetStatusName(status);
}
static inline cublasStatus_t cublasCreate(cublasHandle_t *made) {
    *made = new cublasContext{nullptr, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH,
                              CUBLAS_ATOMICS_NOT_ALLOWED};
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
#define QUIZ_SETTING(Name, type, member)                                                      \
    static inline cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value) {         \
        if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                          \
        handle->member = value;                                                               \
        return CUBLAS_STATUS_SUCCESS;                                                         \
    }                                                                                         \
    static inline cublasStatus_t cublasGet##Name(cublasHandle_t handle, type *value) {        \
        if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                          \
        *value = handle->member;                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                         \
    }
QUIZ_SETTING(Stream, cudaStream_t, stream)
QUIZ_SETTING(PointerMode, cublasPointerMode_t, pointers)
QUIZ_SETTING(MathMode, cublasMath_t, math)
QUIZ_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef QUIZ_SETTING
static inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) {
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}

// Copies

static inline cublasStatus_t quiz_copied(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *from,
                                             int lda, void *to, int ldb) {
    if (rows < 0 || columns < 0 || size <= 0 || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return quiz_copied(cudaMemcpy2D(to, (size_t)ldb * size, from, (size_t)lda * size,
                                    (size_t)rows * size, (size_t)columns, cudaMemcpyDefault));
}
static inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *from,
                                             int lda, void *to, int ldb) {
    return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
static inline cublasStatus_t cublasSetVector(int n, int size, const void *from, int step, void *to,
                                             int to_step) {
    return cublasSetMatrix(1, n, size, from, step, to, to_step);
}
static inline cublasStatus_t cublasGetVector(int n, int size, const void *from, int step, void *to,
                                             int to_step) {
    return cublasSetMatrix(1, n, size, from, step, to, to_step);
}

// Products of matrices

static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType type_a, int lda, long long stride_a,
    const void *b, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *c,
    cudaDataType type_c, int ldc, long long stride_c, int batch, cublasComputeType_t compute,
    cublasGemmAlgo_t = CUBLAS_GEMM_DEFAULT, QUIZ_HERE,
    const char *quiz_name = "cublasGemmStridedBatchedEx") {
    quiz::BlasCall call(handle, quiz_name, quiz_file, quiz_line);
    quiz::Matrix out = quiz::matrix(type_c, c, ldc, stride_c);
    quiz::Product asked = {of_a, of_b, m, n, k, 0, 0, quiz::matrix(type_a, a, lda, stride_a),
                           quiz::matrix(type_b, b, ldb, stride_b), out, out, nullptr, nullptr};
    return quiz::multiply_matrices(call, handle, asked, alpha, beta, quiz::scale_of(compute), batch);
}
// Before CUDA 11 the type of the sums was one of the data.
static inline cublasComputeType_t quiz_compute(cublasComputeType_t compute) { return compute; }
static inline cublasComputeType_t quiz_compute(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
        case CUDA_R_64F: return CUBLAS_COMPUTE_64F;
        case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
        default: return CUBLAS_COMPUTE_32F;
    }
}
template <class Compute>
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a,
                                          cublasOperation_t of_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, const void *b, cudaDataType type_b, int ldb,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          Compute compute,
                                          cublasGemmAlgo_t algorithm = CUBLAS_GEMM_DEFAULT,
                                          QUIZ_HERE, const char *quiz_name = "cublasGemmEx") {
    return cublasGemmStridedBatchedEx(handle, of_a, of_b, m, n, k, alpha, a, type_a, lda, 0, b,
                                      type_b, ldb, 0, beta, c, type_c, ldc, 0, 1,
                                      quiz_compute(compute), algorithm, quiz_file, quiz_line,
                                      quiz_name);
}
#define QUIZ_GEMM(letter, T, compute)                                                             \
    static inline cublasStatus_t cublas##letter##gemm(                                            \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,      \
        int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,     \
        int ldc, QUIZ_HERE) {                                                                     \
        const cudaDataType type = quiz::TypeOf<T>::type;                                          \
        return cublasGemmEx(handle, of_a, of_b, m, n, k, alpha, a, type, lda, b, type, ldb, beta, \
                            c, type, ldc, compute, CUBLAS_GEMM_DEFAULT, quiz_file, quiz_line,     \
                            "cublas" #letter "gemm");                                             \
    }                                                                                             \
    static inline cublasStatus_t cublas##letter##gemmStridedBatched(                              \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,      \
        int k, const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,      \
        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int batch,          \
        QUIZ_HERE) {                                                                              \
        const cudaDataType type = quiz::TypeOf<T>::type;                                          \
        return cublasGemmStridedBatchedEx(handle, of_a, of_b, m, n, k, alpha, a, type, lda,       \
                                          stride_a, b, type, ldb, stride_b, beta, c, type, ldc,   \
                                          stride_c, batch, compute, CUBLAS_GEMM_DEFAULT,          \
                                          quiz_file, quiz_line,                                   \
                                          "cublas" #letter "gemmStridedBatched");                 \
    }                                                                                             \
    static inline cublasStatus_t cublas##letter##gemmBatched(                                     \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,      \
        int k, const T *alpha, const T *const a[], int lda, const T *const b[], int ldb,          \
        const T *beta, T *const c[], int ldc, int batch, QUIZ_HERE) {                             \
        quiz::BlasCall call(handle, "cublas" #letter "gemmBatched", quiz_file, quiz_line);        \
        return quiz::multiply_pointed(call, handle, of_a, of_b, m, n, k, alpha, a, lda, b, ldb,   \
                                      beta, c, ldc, batch);                                       \
    }
QUIZ_GEMM(S, float, CUBLAS_COMPUTE_32F)
QUIZ_GEMM(D, double, CUBLAS_COMPUTE_64F)
QUIZ_GEMM(H, __half, CUBLAS_COMPUTE_16F)
#undef QUIZ_GEMM

// Vectors, and what is of a matrix and a vector

#define QUIZ_BLAS(letter, name)                                                                     \
    if (handle != nullptr && quiz::capture_of(handle->stream) != nullptr)                           \
        return CUBLAS_STATUS_NOT_SUPPORTED;                                                         \
    quiz::BlasCall call(handle, "cublas" #letter #name, quiz_file, quiz_line);
#define QUIZ_VECTORS(letter, T, iamax, iamin)                                                       \
    static inline cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n,                 \
                                                      const T *alpha, const T *x, int step_x, T *y, \
                                                      int step_y, QUIZ_HERE) {                      \
        QUIZ_BLAS(letter, axpy)                                                                     \
        const T *factor = call.number(handle, alpha);                                               \
        quiz::Elements<T> from(call, x, n, step_x), to(call, y, n, step_y);                         \
        if (!call.works()) return call.status;                                                      \
        for (int at = 0; at < n; ++at) to[at] += *factor * from[at];                                \
        to.written();                                                                               \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n,                 \
                                                      const T *alpha, T *x, int step, QUIZ_HERE) {  \
        QUIZ_BLAS(letter, scal)                                                                     \
        const T *factor = call.number(handle, alpha);                                               \
        quiz::Elements<T> each(call, x, n, step);                                                   \
        if (!call.works()) return call.status;                                                      \
        for (int at = 0; at < n; ++at) each[at] *= *factor;                                         \
        each.written();                                                                             \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const T *x,     \
                                                      int step_x, T *y, int step_y, QUIZ_HERE) {    \
        QUIZ_BLAS(letter, copy)                                                                     \
        quiz::Elements<T> from(call, x, n, step_x), to(call, y, n, step_y);                         \
        if (!call.works()) return call.status;                                                      \
        for (int at = 0; at < n; ++at) to[at] = from[at];                                           \
        to.written();                                                                               \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, T *x,           \
                                                      int step_x, T *y, int step_y, QUIZ_HERE) {    \
        QUIZ_BLAS(letter, swap)                                                                     \
        quiz::Elements<T> one(call, x, n, step_x), other(call, y, n, step_y);                       \
        if (!call.works()) return call.status;                                                      \
        for (int at = 0; at < n; ++at) {                                                            \
            T kept = one[at];                                                                       \
            one[at] = other[at];                                                                    \
            other[at] = kept;                                                                       \
        }                                                                                           \
        one.written();                                                                              \
        other.written();                                                                            \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const T *x,      \
                                                     int step_x, const T *y, int step_y, T *result, \
                                                     QUIZ_HERE) {                                   \
        QUIZ_BLAS(letter, dot)                                                                      \
        T *found = call.number(handle, result);                                                     \
        quiz::Elements<T> one(call, x, n, step_x), other(call, y, n, step_y);                       \
        if (!call.works()) return call.status;                                                      \
        double sum = 0;                                                                             \
        for (int at = 0; at < n; ++at) sum += (double)one[at] * other[at];                          \
        *found = (T)sum;                                                                            \
        quiz::announce_copy(result, sizeof(T), nullptr, 0, sizeof(T), 1);                           \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const T *x,     \
                                                      int step, T *result, QUIZ_HERE) {             \
        QUIZ_BLAS(letter, nrm2)                                                                     \
        T *found = call.number(handle, result);                                                     \
        quiz::Elements<T> each(call, x, n, step);                                                   \
        if (!call.works()) return call.status;                                                      \
        double sum = 0;                                                                             \
        for (int at = 0; at < n; ++at) sum += (double)each[at] * each[at];                          \
        *found = (T)sqrt(sum);                                                                      \
        quiz::announce_copy(result, sizeof(T), nullptr, 0, sizeof(T), 1);                           \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const T *x,     \
                                                      int step, T *result, QUIZ_HERE) {             \
        QUIZ_BLAS(letter, asum)                                                                     \
        T *found = call.number(handle, result);                                                     \
        quiz::Elements<T> each(call, x, n, step);                                                   \
        if (!call.works()) return call.status;                                                      \
        double sum = 0;                                                                             \
        for (int at = 0; at < n; ++at) sum += fabs((double)each[at]);                               \
        *found = (T)sum;                                                                            \
        quiz::announce_copy(result, sizeof(T), nullptr, 0, sizeof(T), 1);                           \
        return call.status;                                                                         \
    }                                                                                               \
    QUIZ_EXTREME(iamax, T, >)                                                                       \
    QUIZ_EXTREME(iamin, T, <)                                                                       \
    static inline cublasStatus_t cublas##letter##gemv(                                              \
        cublasHandle_t handle, cublasOperation_t operation, int m, int n, const T *alpha,           \
        const T *a, int lda, const T *x, int step_x, const T *beta, T *y, int step_y, QUIZ_HERE) {  \
        QUIZ_BLAS(letter, gemv)                                                                     \
        bool turned = operation != CUBLAS_OP_N;                                                     \
        const T *scale = call.number(handle, alpha), *kept = call.number(handle, beta);             \
        call.require(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1));                                   \
        const T *rows = call.memory(a, m && n ? (size_t)lda * (n - 1) + m : 0);                     \
        quiz::Elements<T> from(call, x, turned ? m : n, step_x), to(call, y, turned ? n : m, step_y); \
        if (!call.works()) return call.status;                                                      \
        for (int out = 0; out < (turned ? n : m); ++out) {                                          \
            double sum = 0;                                                                         \
            for (int at = 0; at < (turned ? m : n); ++at)                                           \
                sum += (double)(turned ? rows[(size_t)out * lda + at] : rows[(size_t)at * lda + out]) * \
                       from[at];                                                                    \
            to[out] = (T)(*scale * sum + (*kept == 0 ? 0 : *kept * (double)to[out]));               \
        }                                                                                           \
        to.written();                                                                               \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##ger(                                               \
        cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int step_x, const T *y,    \
        int step_y, T *a, int lda, QUIZ_HERE) {                                                     \
        QUIZ_BLAS(letter, ger)                                                                      \
        const T *scale = call.number(handle, alpha);                                                \
        call.require(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1));                                   \
        quiz::Elements<T> one(call, x, m, step_x), other(call, y, n, step_y);                       \
        T *rows = call.memory(a, m && n ? (size_t)lda * (n - 1) + m : 0);                           \
        if (!call.works()) return call.status;                                                      \
        for (int column = 0; column < n; ++column)                                                  \
            for (int row = 0; row < m; ++row)                                                       \
                rows[(size_t)column * lda + row] += *scale * one[row] * other[column];              \
        quiz::announce_copy(a, lda * sizeof(T), nullptr, 0, m * sizeof(T), (size_t)n);              \
        return call.status;                                                                         \
    }                                                                                               \
    static inline cublasStatus_t cublas##letter##geam(                                              \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,        \
        const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc,     \
        QUIZ_HERE) {                                                                                \
        QUIZ_BLAS(letter, geam)                                                                     \
        bool turned_a = of_a != CUBLAS_OP_N, turned_b = of_b != CUBLAS_OP_N;                        \
        const T *one = call.number(handle, alpha), *other = call.number(handle, beta);              \
        call.require(m > 0 && n > 0 && ldc >= m && lda >= (turned_a ? n : m) &&                     \
                     ldb >= (turned_b ? n : m));                                                    \
        if (!call.works()) return call.status;                                                      \
        auto span = [&](bool turned, int leading) {                                                 \
            return (size_t)leading * ((turned ? m : n) - 1) + (turned ? n : m);                     \
        };                                                                                          \
        const T *from_a = *one == 0 ? nullptr : call.memory(a, span(turned_a, lda));                \
        const T *from_b = *other == 0 ? nullptr : call.memory(b, span(turned_b, ldb));              \
        T *to = call.memory(c, span(false, ldc));                                                   \
        if (!call.works()) return call.status;                                                      \
        auto value = [&](const T *from, bool turned, int leading, int row, int column) {            \
            return from == nullptr ? T(0)                                                           \
                                   : from[turned ? (size_t)row * leading + column                   \
                                                 : (size_t)column * leading + row];                 \
        };                                                                                          \
        for (int column = 0; column < n; ++column)                                                  \
            for (int row = 0; row < m; ++row)                                                       \
                to[(size_t)column * ldc + row] = *one * value(from_a, turned_a, lda, row, column) + \
                                                 *other * value(from_b, turned_b, ldb, row, column); \
        quiz::announce_copy(c, ldc * sizeof(T), nullptr, 0, m * sizeof(T), (size_t)n);              \
        return call.status;                                                                         \
    }
#define QUIZ_EXTREME(name, T, compare)                                                            \
    static inline cublasStatus_t cublas##name(cublasHandle_t handle, int n, const T *x, int step, \
                                              int *result, QUIZ_HERE) {                           \
        QUIZ_BLAS(, name)                                                                         \
        int *found = call.number(handle, result);                                                 \
        quiz::Elements<T> each(call, x, n, step);                                                 \
        if (!call.works()) return call.status;                                                    \
        int best = 0;                                                                             \
        for (int at = 1; at < n; ++at)                                                            \
            if (fabs((double)each[at]) compare fabs((double)each[best])) best = at;               \
        *found = n > 0 ? best + 1 : 0; /* from 1, as in Fortran */                                \
        quiz::announce_copy(result, sizeof(int), nullptr, 0, sizeof(int), 1);                     \
        return call.status;                                                                       \
    }
QUIZ_VECTORS(S, float, Isamax, Isamin)
QUIZ_VECTORS(D, double, Idamax, Idamin)
#undef QUIZ_VECTORS
#undef QUIZ_EXTREME
#undef QUIZ_BLAS
