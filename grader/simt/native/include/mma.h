// The names of WMMA that host code may have at file scope, such as in `using`: its kernels are
// compiled apart.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental
enum layout_t { mem_row_major, mem_col_major };
template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;
template <class F, class T>
void fill_fragment(F &, const T &);
template <class F, class T>
void load_matrix_sync(F &, const T *, unsigned);
template <class F, class T>
void load_matrix_sync(F &, const T *, unsigned, layout_t);
template <class F, class T>
void store_matrix_sync(T *, const F &, unsigned, layout_t);
template <class D, class A, class B, class C>
void mma_sync(D &, const A &, const B &, const C &);
}  // namespace wmma
}  // namespace nvcuda
