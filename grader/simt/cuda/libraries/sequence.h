// Integers as a type, for packs of indices.
template <typename T, T... I> struct integer_sequence {
  typedef T value_type;
  __device__ static constexpr size_t size() { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <typename T, size_t N, T... I>
struct quiz_sequence : quiz_sequence<T, N - 1, T(N - 1), I...> {};
template <typename T, T... I> struct quiz_sequence<T, 0, I...> {
  using type = integer_sequence<T, I...>;
};
template <typename T, T N> using make_integer_sequence = typename quiz_sequence<T, N>::type;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
template <typename... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
