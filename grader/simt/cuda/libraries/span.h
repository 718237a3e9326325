// A view of elements in memory; the length of one of a fixed extent is not in it.
constexpr size_t dynamic_extent = size_t(-1);
template <typename T, size_t N> struct quiz_view {
  T* quiz_first;
  quiz_view() = default;
  __device__ constexpr quiz_view(T* first, size_t) : quiz_first(first) {}
  __device__ static constexpr size_t size() { return N; }
};
template <typename T> struct quiz_view<T, dynamic_extent> {
  T* quiz_first;
  size_t quiz_size;
  __device__ constexpr quiz_view() : quiz_first(nullptr), quiz_size(0) {}
  __device__ constexpr quiz_view(T* first, size_t size) : quiz_first(first), quiz_size(size) {}
  __device__ constexpr size_t size() const { return quiz_size; }
};
template <typename T, size_t N = dynamic_extent> struct span : quiz_view<T, N> {
  using element_type = T;
  using value_type = ::std::remove_cv_t<T>;
  using iterator = T*;
  static constexpr size_t extent = N;
  span() = default;
  __device__ constexpr span(T* first, size_t size) : quiz_view<T, N>(first, size) {}
  __device__ constexpr span(T* first, T* last) : quiz_view<T, N>(first, last - first) {}
  template <size_t M> __device__ constexpr span(T (&all)[M]) : quiz_view<T, N>(all, M) {}
  template <typename U, size_t M>
  __device__ constexpr span(array<U, M>& all) : quiz_view<T, N>(all.data(), M) {}
  template <typename U, size_t M>
  __device__ constexpr span(const array<U, M>& all) : quiz_view<T, N>(all.data(), M) {}
  template <typename U, size_t M>
  __device__ constexpr span(const span<U, M>& all) : quiz_view<T, N>(all.data(), all.size()) {}
  __device__ constexpr T* data() const { return this->quiz_first; }
  __device__ constexpr size_t size_bytes() const { return this->size() * sizeof(T); }
  __device__ constexpr bool empty() const { return this->size() == 0; }
  __device__ constexpr T* begin() const { return data(); }
  __device__ constexpr T* end() const { return data() + this->size(); }
  __device__ constexpr T& front() const { return data()[0]; }
  __device__ constexpr T& back() const { return data()[this->size() - 1]; }
  __device__ constexpr T& operator[](size_t at) const { return data()[at]; }
  __device__ constexpr span<T> first(size_t count) const { return span<T>(data(), count); }
  __device__ constexpr span<T> last(size_t count) const { return span<T>(end() - count, count); }
  __device__ constexpr span<T> subspan(size_t from, size_t count = dynamic_extent) const {
    return span<T>(data() + from, count == dynamic_extent ? this->size() - from : count);
  }
  template <size_t M> __device__ constexpr span<T, M> first() const {
    return span<T, M>(data(), M);
  }
  template <size_t M> __device__ constexpr span<T, M> last() const {
    return span<T, M>(end() - M, M);
  }
};
template <typename T, size_t N> span(T (&)[N]) -> span<T, N>;
template <typename T> span(T*, size_t) -> span<T>;
