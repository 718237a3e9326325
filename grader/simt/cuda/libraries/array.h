// An array as a value.
template <typename T, size_t N> struct array {
  typedef T value_type;
  T quiz_elements[N];
  __device__ constexpr T& operator[](size_t at) { return quiz_elements[at]; }
  __device__ constexpr const T& operator[](size_t at) const { return quiz_elements[at]; }
  __device__ constexpr T& front() { return quiz_elements[0]; }
  __device__ constexpr const T& front() const { return quiz_elements[0]; }
  __device__ constexpr T& back() { return quiz_elements[N - 1]; }
  __device__ constexpr const T& back() const { return quiz_elements[N - 1]; }
  __device__ constexpr T* data() { return quiz_elements; }
  __device__ constexpr const T* data() const { return quiz_elements; }
  __device__ constexpr T* begin() { return quiz_elements; }
  __device__ constexpr const T* begin() const { return quiz_elements; }
  __device__ constexpr T* end() { return quiz_elements + N; }
  __device__ constexpr const T* end() const { return quiz_elements + N; }
  __device__ static constexpr size_t size() { return N; }
  __device__ static constexpr bool empty() { return N == 0; }
  __device__ constexpr void fill(const T& value) {
    for (size_t at = 0; at < N; ++at) quiz_elements[at] = value;
  }
};
template <size_t I, typename T, size_t N> __device__ constexpr T& get(array<T, N>& of) {
  return of.quiz_elements[I];
}
template <size_t I, typename T, size_t N> __device__ constexpr const T& get(const array<T, N>& of) {
  return of.quiz_elements[I];
}
