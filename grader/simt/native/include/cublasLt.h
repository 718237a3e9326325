// A part of cuBLASLt, on the CPU: products of matrices by columns, with a bias and GELU behind them.
#pragma once

#include "cublas_v2.h"

enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};
enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
};
enum cublasLtMatrixLayoutAttribute_t {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};
enum cublasLtOrder_t { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1 };
enum cublasLtMatmulPreferenceAttributes_t {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
};

struct cublasLtMatmulAlgo_t {
    uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
};
// Attributes by number, as they are set: their bytes.
template <class Which> struct quiz_attributes {
    uint64_t value[32];
    cublasStatus_t set(Which which, const void *from, size_t size) {
        if ((unsigned)which >= 32 || size > 8) return CUBLAS_STATUS_NOT_SUPPORTED;
        value[which] = 0;
        memcpy(&value[which], from, size);
        return CUBLAS_STATUS_SUCCESS;
    }
};
typedef quiz_attributes<cublasLtMatmulDescAttributes_t> *cublasLtMatmulDesc_t;
typedef quiz_attributes<cublasLtMatrixLayoutAttribute_t> *cublasLtMatrixLayout_t;
typedef quiz_attributes<cublasLtMatmulPreferenceAttributes_t> *cublasLtMatmulPreference_t;
typedef cublasHandle_t cublasLtHandle_t;

static inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *made) { return cublasCreate(made); }
static inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return cublasDestroy(handle); }

#define QUIZ_ATTRIBUTES(Name, Which)                                                              \
    static inline cublasStatus_t cublasLt##Name##Destroy(cublasLt##Name##_t made) {               \
        delete made;                                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                             \
    }                                                                                             \
    static inline cublasStatus_t cublasLt##Name##SetAttribute(cublasLt##Name##_t made, Which which, \
                                                              const void *from, size_t size) {    \
        return made->set(which, from, size);                                                      \
    }
QUIZ_ATTRIBUTES(MatmulDesc, cublasLtMatmulDescAttributes_t)
QUIZ_ATTRIBUTES(MatrixLayout, cublasLtMatrixLayoutAttribute_t)
QUIZ_ATTRIBUTES(MatmulPreference, cublasLtMatmulPreferenceAttributes_t)
#undef QUIZ_ATTRIBUTES
static inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *made) {
    *made = new quiz_attributes<cublasLtMatmulPreferenceAttributes_t>();
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *made,
                                                      cublasComputeType_t compute, cudaDataType scale) {
    *made = new quiz_attributes<cublasLtMatmulDescAttributes_t>();
    (*made)->value[CUBLASLT_MATMUL_DESC_COMPUTE_TYPE] = compute;
    (*made)->value[CUBLASLT_MATMUL_DESC_SCALE_TYPE] = scale;
    (*made)->value[CUBLASLT_MATMUL_DESC_EPILOGUE] = CUBLASLT_EPILOGUE_DEFAULT;
    (*made)->value[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] = ~0ull;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType type,
                                                        uint64_t rows, uint64_t columns, int64_t ld) {
    *made = new quiz_attributes<cublasLtMatrixLayoutAttribute_t>();
    uint64_t values[] = {(uint64_t)type, CUBLASLT_ORDER_COL, rows, columns, (uint64_t)ld, 1, 0};
    memcpy((*made)->value, values, sizeof values);
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
    cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int asked,
    cublasLtMatmulHeuristicResult_t *results, int *found) {
    *found = asked > 0 ? 1 : 0;
    if (asked > 0) results[0] = cublasLtMatmulHeuristicResult_t();
    return CUBLAS_STATUS_SUCCESS;
}

namespace quiz {

// What comes behind a product: a bias by row, and a function.
struct Epilogue {
    int kind;
    cudaDataType bias_type, aux_type;
    const void *bias;
    void *aux;
    size_t aux_leading, leading;
    static double apply(double value, int row, size_t at, void *context) {
        const Epilogue &own = *(const Epilogue *)context;
        if (own.bias != nullptr) value += load_number<double>(own.bias_type, own.bias, (size_t)row);
        if (own.aux != nullptr)
            store_number(own.aux_type, own.aux, at / own.leading * own.aux_leading + (size_t)row, value);
        if (own.kind & 2) return value > 0 ? value : 0;
        if (own.kind & 32)
            return 0.5 * value * (1 + tanh(0.7978845608028654 * (value + 0.044715 * value * value * value)));
        return value;
    }
};
inline Matrix matrix(cublasLtMatrixLayout_t of, const void *data) {
    return matrix((cudaDataType)of->value[CUBLASLT_MATRIX_LAYOUT_TYPE], data,
                  (int)of->value[CUBLASLT_MATRIX_LAYOUT_LD],
                  (long long)of->value[CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET]);
}

}  // namespace quiz

static inline cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t asked, const void *alpha, const void *a,
    cublasLtMatrixLayout_t of_a, const void *b, cublasLtMatrixLayout_t of_b, const void *beta,
    const void *c, cublasLtMatrixLayout_t of_c, void *d, cublasLtMatrixLayout_t of_d,
    const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream, QUIZ_HERE) {
    if (quiz::capture_of(stream) != nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
    quiz::BlasCall call(handle, "cublasLtMatmul", quiz_file, quiz_line);
    const uint64_t *how = asked->value, *shape = of_d->value;
    int kind = (int)how[CUBLASLT_MATMUL_DESC_EPILOGUE];
    int m = (int)shape[CUBLASLT_MATRIX_LAYOUT_ROWS], n = (int)shape[CUBLASLT_MATRIX_LAYOUT_COLS];
    bool turned_a = how[CUBLASLT_MATMUL_DESC_TRANSA], turned_b = how[CUBLASLT_MATMUL_DESC_TRANSB];
    auto size = [](cublasLtMatrixLayout_t of, bool columns) {
        return (int)of->value[columns ? CUBLASLT_MATRIX_LAYOUT_COLS : CUBLASLT_MATRIX_LAYOUT_ROWS];
    };
    int k = size(of_a, !turned_a);
    call.require(size(of_a, turned_a) == m && size(of_b, turned_b) == k && size(of_b, !turned_b) == n &&
                 size(of_c, false) == m && size(of_c, true) == n);
    bool by_rows = false;
    for (cublasLtMatrixLayout_t of : {of_a, of_b, of_c, of_d})
        by_rows = by_rows || of->value[CUBLASLT_MATRIX_LAYOUT_ORDER] != CUBLASLT_ORDER_COL;
    if (call.works() && (by_rows || kind & ~(1 | 2 | 4 | 32 | 128) || kind == CUBLASLT_EPILOGUE_DGELU))
        call.status = CUBLAS_STATUS_NOT_SUPPORTED;
    quiz::Epilogue last = {kind, CUDA_R_32F, CUDA_R_32F, nullptr, nullptr, 0, 0};
    quiz::Matrix out = quiz::matrix(of_d, d);
    last.bias_type = how[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] == ~0ull
                         ? out.type
                         : (cudaDataType)how[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE];
    last.aux_type = out.type;
    last.leading = (size_t)out.leading;
    last.aux_leading = (size_t)how[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD];
    if (kind & 4)
        last.bias = call.memory((const char *)how[CUBLASLT_MATMUL_DESC_BIAS_POINTER], (size_t)m,
                                quiz::size_of(last.bias_type));
    char *aux = (char *)how[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER];
    size_t element = quiz::size_of(out.type);
    if (kind & 128)
        last.aux = call.memory(aux, last.aux_leading * (size_t)(n - 1) + (size_t)m, element);
    if (!call.works()) return call.status;
    quiz::Product product = {turned_a ? CUBLAS_OP_T : CUBLAS_OP_N, turned_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                             m, n, k, 0, 0, quiz::matrix(of_a, a), quiz::matrix(of_b, b),
                             quiz::matrix(of_c, c), out,
                             kind == CUBLASLT_EPILOGUE_DEFAULT ? nullptr : quiz::Epilogue::apply, &last};
    quiz::multiply_matrices(call, handle, product, alpha, beta,
                            (cudaDataType)how[CUBLASLT_MATMUL_DESC_SCALE_TYPE],
                            (int)shape[CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT]);
    if (call.works() && last.aux != nullptr)
        quiz::announce_copy(aux, last.aux_leading * element, nullptr, 0, (size_t)m * element, (size_t)n);
    return call.status;
}
