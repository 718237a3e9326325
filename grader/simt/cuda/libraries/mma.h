// Warp matrices with the names of nvcuda::wmma, over inline PTX.
// Which element of a fragment is where is not documented; here it is where `mma.sync` has it.
namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {
  static constexpr bool by_rows = true;
};
struct col_major {
  static constexpr bool by_rows = false;
};
namespace precision {
struct tf32 {};
}
enum layout_t { mem_row_major, mem_col_major };

// What is not below has no size.
template <typename Use, int m, int n, int k, typename T, typename Layout = void> struct fragment {
  int none[m - m];
};

#define WMMA_16_BITS ((m == 16 && n == 16 || m == 32 && n == 8 || m == 8 && n == 32) && k == 16)
#define WMMA_FRAGMENT(T, N)              \
  typedef T element_type;                \
  static constexpr int num_elements = N; \
  T x[N];

template <int m, int n, int k, typename L> struct __align__(8) fragment<matrix_a, m, n, k, half, L> {
  WMMA_FRAGMENT(half, WMMA_16_BITS ? 16 : 0)
};
template <int m, int n, int k, typename L> struct __align__(8) fragment<matrix_b, m, n, k, half, L> {
  WMMA_FRAGMENT(half, WMMA_16_BITS ? 16 : 0)
};
template <typename L> struct __align__(8) fragment<matrix_a, 16, 16, 16, __nv_bfloat16, L> {
  WMMA_FRAGMENT(__nv_bfloat16, 8)
};
template <typename L> struct __align__(8) fragment<matrix_b, 16, 16, 16, __nv_bfloat16, L> {
  WMMA_FRAGMENT(__nv_bfloat16, 8)
};
template <typename L> struct __align__(8) fragment<matrix_a, 16, 16, 16, signed char, L> {
  WMMA_FRAGMENT(signed char, 8)
};
template <typename L> struct __align__(8) fragment<matrix_b, 16, 16, 16, signed char, L> {
  WMMA_FRAGMENT(signed char, 8)
};
template <typename L> struct __align__(8) fragment<matrix_a, 16, 16, 16, unsigned char, L> {
  WMMA_FRAGMENT(unsigned char, 8)
};
template <typename L> struct __align__(8) fragment<matrix_b, 16, 16, 16, unsigned char, L> {
  WMMA_FRAGMENT(unsigned char, 8)
};
template <typename L> struct fragment<matrix_a, 16, 16, 8, precision::tf32, L> {
  WMMA_FRAGMENT(float, 4)
};
template <typename L> struct fragment<matrix_b, 16, 16, 8, precision::tf32, L> {
  WMMA_FRAGMENT(float, 4)
};
template <int m, int n, int k> struct __align__(8) fragment<accumulator, m, n, k, half, void> {
  WMMA_FRAGMENT(half, WMMA_16_BITS ? 8 : 0)
};
template <int m, int n, int k> struct fragment<accumulator, m, n, k, float, void> {
  WMMA_FRAGMENT(float, WMMA_16_BITS || m == 16 && n == 16 && k == 8 ? 8 : 0)
};
template <typename L> struct fragment<matrix_a, 8, 8, 4, double, L> {
  WMMA_FRAGMENT(double, 1)
};
template <typename L> struct fragment<matrix_b, 8, 8, 4, double, L> {
  WMMA_FRAGMENT(double, 1)
};
template <> struct fragment<accumulator, 8, 8, 4, double, void> {
  WMMA_FRAGMENT(double, 2)
};
template <int m, int n, int k> struct fragment<accumulator, m, n, k, int, void> {
  WMMA_FRAGMENT(int, WMMA_16_BITS ? 8 : 0)
};

template <typename Use, int m, int n, int k, typename T, typename L, typename V>
__device__ void fill_fragment(fragment<Use, m, n, k, T, L>& to, V value) {
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = value;
}

__device__ inline float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

#define WMMA_OUT2(r) "=r"(r[0]), "=r"(r[1])
#define WMMA_OUT4(r) WMMA_OUT2(r), "=r"(r[2]), "=r"(r[3])
#define WMMA_OUT8(r) WMMA_OUT4(r), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
#define WMMA_IN2(r) "r"(r[0]), "r"(r[1])
#define WMMA_IN4(r) WMMA_IN2(r), "r"(r[2]), "r"(r[3])
#define WMMA_IN8(r) WMMA_IN4(r), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
#define WMMA_WORDS(type, name, from) type* name = reinterpret_cast<type*>(from.x)
#define WMMA_SHAPE "n"(m), "n"(n), "n"(k)

// Loads of operands: 8, 4 or 2 registers of 32 bits.

#define WMMA_LOAD8(use, layout, kind)                                                   \
  asm volatile("wmma.load." use ".sync.aligned." layout ".m%10n%11k%12." kind           \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                           \
               : WMMA_OUT8(r) : "l"(from), "r"(stride), WMMA_SHAPE : "memory")
#define WMMA_LOAD4(use, layout, kind)                                                   \
  asm volatile("wmma.load." use ".sync.aligned." layout ".m%6n%7k%8." kind              \
               " {%0, %1, %2, %3}, [%4], %5;"                                           \
               : WMMA_OUT4(r) : "l"(from), "r"(stride), WMMA_SHAPE : "memory")
#define WMMA_LOAD2(use, layout, kind)                                                   \
  asm volatile("wmma.load." use ".sync.aligned." layout ".m%4n%5k%6." kind              \
               " {%0, %1}, [%2], %3;"                                                   \
               : WMMA_OUT2(r) : "l"(from), "r"(stride), WMMA_SHAPE : "memory")
#define WMMA_LOAD(USE, use, T, E, kind, N)                                              \
  template <int m, int n, int k, typename L>                                            \
  __device__ void load_matrix_sync(                                                     \
      fragment<USE, m, n, k, T, L>& to, const E* from, unsigned stride) {               \
    WMMA_WORDS(unsigned, r, to);                                                        \
    if constexpr (L::by_rows) WMMA_LOAD##N(use, "row", kind);                           \
    else WMMA_LOAD##N(use, "col", kind);                                                \
  }
#define WMMA_LOADS(T, E, kind, N)                                                       \
  WMMA_LOAD(matrix_a, "a", T, E, kind, N)                                               \
  WMMA_LOAD(matrix_b, "b", T, E, kind, N)
WMMA_LOADS(half, half, "f16", 8)
WMMA_LOADS(__nv_bfloat16, __nv_bfloat16, "bf16", 4)
WMMA_LOADS(precision::tf32, float, "tf32", 4)
WMMA_LOADS(signed char, signed char, "s8", 2)
WMMA_LOADS(unsigned char, unsigned char, "u8", 2)

// Sums: 8 registers, or 4 of halves.

#define WMMA_STORE8(layout, kind)                                                       \
  asm volatile("wmma.store.d.sync.aligned." layout ".m%10n%11k%12." kind                \
               " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"                           \
               : : WMMA_IN8(r), "l"(to), "r"(stride), WMMA_SHAPE : "memory")
#define WMMA_STORE4(layout, kind)                                                       \
  asm volatile("wmma.store.d.sync.aligned." layout ".m%6n%7k%8." kind                   \
               " [%4], {%0, %1, %2, %3}, %5;"                                           \
               : : WMMA_IN4(r), "l"(to), "r"(stride), WMMA_SHAPE : "memory")
#define WMMA_SUMS(T, kind, N)                                                           \
  template <int m, int n, int k>                                                        \
  __device__ void load_matrix_sync(                                                     \
      fragment<accumulator, m, n, k, T>& to, const T* from, unsigned stride, layout_t layout) { \
    WMMA_WORDS(unsigned, r, to);                                                        \
    if (layout == mem_row_major) WMMA_LOAD##N("c", "row", kind);                        \
    else WMMA_LOAD##N("c", "col", kind);                                                \
  }                                                                                     \
  template <int m, int n, int k>                                                        \
  __device__ void store_matrix_sync(                                                    \
      T* to, const fragment<accumulator, m, n, k, T>& from, unsigned stride, layout_t layout) { \
    WMMA_WORDS(const unsigned, r, from);                                                \
    if (layout == mem_row_major) WMMA_STORE##N("row", kind);                            \
    else WMMA_STORE##N("col", kind);                                                    \
  }
WMMA_SUMS(half, "f16", 4)
WMMA_SUMS(float, "f32", 8)
WMMA_SUMS(int, "s32", 8)

// Products: sums of 8 or 4 registers, operands of 8, 4 or 2. Where a fragment has its elements
// does not follow from its layout in memory, so one pair of layouts stands for all.

#define WMMA_MMA8_8(kinds)                                                              \
  asm("wmma.mma.sync.aligned.row.col.m%32n%33k%34." kinds                           \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15},"      \
      " {%16, %17, %18, %19, %20, %21, %22, %23},"                                      \
      " {%24, %25, %26, %27, %28, %29, %30, %31};"                                      \
      : WMMA_OUT8(d) : WMMA_IN8(a), WMMA_IN8(b), WMMA_IN8(c), WMMA_SHAPE)
#define WMMA_MMA4_8(kinds)                                                              \
  asm("wmma.mma.sync.aligned.row.col.m%24n%25k%26." kinds                           \
      " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11},"                          \
      " {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"                \
      : WMMA_OUT4(d) : WMMA_IN8(a), WMMA_IN8(b), WMMA_IN4(c), WMMA_SHAPE)
#define WMMA_MMA8_4(kinds)                                                              \
  asm("wmma.mma.sync.aligned.row.col.m%24n%25k%26." kinds                           \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15},"    \
      " {%16, %17, %18, %19, %20, %21, %22, %23};"                                      \
      : WMMA_OUT8(d) : WMMA_IN4(a), WMMA_IN4(b), WMMA_IN8(c), WMMA_SHAPE)
#define WMMA_MMA8_2(kinds)                                                              \
  asm("wmma.mma.sync.aligned.row.col.m%20n%21k%22." kinds                           \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11},"                        \
      " {%12, %13, %14, %15, %16, %17, %18, %19};"                                      \
      : WMMA_OUT8(d) : WMMA_IN2(a), WMMA_IN2(b), WMMA_IN8(c), WMMA_SHAPE)
#define WMMA_PRODUCTS(T, S, kinds, FORM)                                                \
  template <int m, int n, int k, typename LEFT, typename RIGHT>                         \
  __device__ void mma_sync(                                                             \
      fragment<accumulator, m, n, k, S>& to, const fragment<matrix_a, m, n, k, T, LEFT>& left, \
      const fragment<matrix_b, m, n, k, T, RIGHT>& right,                               \
      const fragment<accumulator, m, n, k, S>& sums) {                                  \
    WMMA_WORDS(unsigned, d, to);                                                        \
    WMMA_WORDS(const unsigned, a, left);                                                \
    WMMA_WORDS(const unsigned, b, right);                                               \
    WMMA_WORDS(const unsigned, c, sums);                                                \
    WMMA_MMA##FORM(kinds);                                                              \
  }
WMMA_PRODUCTS(half, float, "f32.f32", 8_8)
WMMA_PRODUCTS(half, half, "f16.f16", 4_8)
WMMA_PRODUCTS(__nv_bfloat16, float, "f32.bf16.bf16.f32", 8_4)
WMMA_PRODUCTS(precision::tf32, float, "f32.tf32.tf32.f32", 8_4)
WMMA_PRODUCTS(signed char, int, "s32.s8.s8.s32", 8_2)
WMMA_PRODUCTS(unsigned char, int, "s32.u8.u8.s32", 8_2)

// Of doubles a lane has one element of each operand, and two sums.

#define WMMA_LOAD_DOUBLE(USE, use, layout)                                              \
  asm volatile("wmma.load." use ".sync.aligned." layout ".m8n8k4.f64 {%0}, [%1], %2;"   \
               : "=d"(to.x[0]) : "l"(from), "r"(stride) : "memory")
#define WMMA_LOADS_DOUBLE(USE, use)                                                     \
  template <typename L>                                                                 \
  __device__ void load_matrix_sync(                                                     \
      fragment<USE, 8, 8, 4, double, L>& to, const double* from, unsigned stride) {     \
    if constexpr (L::by_rows) WMMA_LOAD_DOUBLE(USE, use, "row");                        \
    else WMMA_LOAD_DOUBLE(USE, use, "col");                                             \
  }
WMMA_LOADS_DOUBLE(matrix_a, "a")
WMMA_LOADS_DOUBLE(matrix_b, "b")
#define WMMA_SUMS_DOUBLE(layout, TO, from)                                              \
  asm volatile("wmma.load.c.sync.aligned." layout ".m8n8k4.f64 {%0, %1}, [%2], %3;"     \
               : "=d"(TO.x[0]), "=d"(TO.x[1]) : "l"(from), "r"(stride) : "memory")
#define WMMA_STORE_DOUBLE(layout, to, FROM)                                             \
  asm volatile("wmma.store.d.sync.aligned." layout ".m8n8k4.f64 [%2], {%0, %1}, %3;"    \
               : : "d"(FROM.x[0]), "d"(FROM.x[1]), "l"(to), "r"(stride) : "memory")
__device__ inline void load_matrix_sync(
    fragment<accumulator, 8, 8, 4, double>& to, const double* from, unsigned stride,
    layout_t layout) {
  if (layout == mem_row_major) WMMA_SUMS_DOUBLE("row", to, from);
  else WMMA_SUMS_DOUBLE("col", to, from);
}
__device__ inline void store_matrix_sync(
    double* to, const fragment<accumulator, 8, 8, 4, double>& from, unsigned stride,
    layout_t layout) {
  if (layout == mem_row_major) WMMA_STORE_DOUBLE("row", to, from);
  else WMMA_STORE_DOUBLE("col", to, from);
}
template <typename LEFT, typename RIGHT>
__device__ void mma_sync(
    fragment<accumulator, 8, 8, 4, double>& to,
    const fragment<matrix_a, 8, 8, 4, double, LEFT>& left,
    const fragment<matrix_b, 8, 8, 4, double, RIGHT>& right,
    const fragment<accumulator, 8, 8, 4, double>& sums) {
  asm("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(to.x[0]), "=d"(to.x[1])
      : "d"(left.x[0]), "d"(right.x[0]), "d"(sums.x[0]), "d"(sums.x[1]));
}

}  // namespace wmma
}  // namespace nvcuda
