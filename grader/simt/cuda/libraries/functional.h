// Operators as types, of libcu++ and Thrust: each of numbers of one type, or of any.
#define QUIZ_OPERATOR(name, value)                                                         \
  template <typename T = void> struct name {                                               \
    __device__ T operator()(const T& a, const T& b) const { return value; }                \
  };                                                                                       \
  template <> struct name<void> {                                                          \
    template <typename T> __device__ T operator()(const T& a, const T& b) const { return value; } \
  };
#define QUIZ_ARITHMETIC                  \
  QUIZ_OPERATOR(plus, a + b)             \
  QUIZ_OPERATOR(minus, a - b)            \
  QUIZ_OPERATOR(multiplies, a * b)       \
  QUIZ_OPERATOR(bit_and, a & b)          \
  QUIZ_OPERATOR(bit_or, a | b)           \
  QUIZ_OPERATOR(bit_xor, a ^ b)
#define QUIZ_EXTREMES                    \
  QUIZ_OPERATOR(maximum, a < b ? b : a)  \
  QUIZ_OPERATOR(minimum, b < a ? b : a)
namespace cuda {
QUIZ_EXTREMES
namespace std {
QUIZ_ARITHMETIC
template <typename T> __device__ T clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}
template <typename T> __device__ T max(const T& a, const T& b) { return a < b ? b : a; }
template <typename T> __device__ T min(const T& a, const T& b) { return b < a ? b : a; }
}  // namespace std
}  // namespace cuda
namespace thrust {
QUIZ_EXTREMES
QUIZ_ARITHMETIC
}  // namespace thrust
