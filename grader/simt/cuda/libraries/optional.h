// A value, or none.
enum nullopt_t { nullopt };
template <typename T> struct optional {
  typedef T value_type;
  T quiz_value;  // in this order, as the host's library has it in arguments of kernels
  bool quiz_there;
  __device__ constexpr optional() : quiz_there(false) {}
  __device__ constexpr optional(nullopt_t) : quiz_there(false) {}
  __device__ constexpr optional(const T& value) : quiz_value(value), quiz_there(true) {}
  __device__ constexpr bool has_value() const { return quiz_there; }
  __device__ constexpr explicit operator bool() const { return quiz_there; }
  __device__ constexpr T& value() { return quiz_value; }
  __device__ constexpr const T& value() const { return quiz_value; }
  __device__ constexpr T& operator*() { return quiz_value; }
  __device__ constexpr const T& operator*() const { return quiz_value; }
  __device__ constexpr T* operator->() { return &quiz_value; }
  __device__ constexpr const T* operator->() const { return &quiz_value; }
  __device__ constexpr T value_or(const T& other) const { return quiz_there ? quiz_value : other; }
  __device__ constexpr void reset() { quiz_there = false; }
};
