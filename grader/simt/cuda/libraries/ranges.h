// What an array has as a container has it.
template <typename T, size_t N> __device__ constexpr size_t size(const T (&)[N]) { return N; }
template <typename C> __device__ constexpr auto size(const C& of) { return of.size(); }
template <typename T, size_t N> __device__ constexpr T* data(T (&of)[N]) { return of; }
template <typename C> __device__ constexpr auto data(C& of) { return of.data(); }
template <typename T, size_t N> __device__ constexpr T* begin(T (&of)[N]) { return of; }
template <typename C> __device__ constexpr auto begin(C& of) { return of.begin(); }
template <typename T, size_t N> __device__ constexpr T* end(T (&of)[N]) { return of + N; }
template <typename C> __device__ constexpr auto end(C& of) { return of.end(); }
