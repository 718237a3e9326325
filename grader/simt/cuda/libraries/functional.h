// Operators of libcu++ as types: <cuda/functional> and <cuda/std/functional>.
#pragma once
namespace cuda {
template <typename T = void> struct maximum {
  __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <typename T = void> struct minimum {
  __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
namespace std {
template <typename T = void> struct plus {
  __device__ T operator()(const T& a, const T& b) const { return a + b; }
};
template <> struct plus<void> {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return a + b; }
};
template <typename T = void> struct multiplies {
  __device__ T operator()(const T& a, const T& b) const { return a * b; }
};
template <> struct multiplies<void> {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return a * b; }
};
template <typename T = void> struct bit_and {
  __device__ T operator()(const T& a, const T& b) const { return a & b; }
};
template <typename T = void> struct bit_or {
  __device__ T operator()(const T& a, const T& b) const { return a | b; }
};
}  // namespace std
}  // namespace cuda
