// Two values of any types, compared in turn.
template <typename A, typename B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  __device__ constexpr pair(const A& a, const B& b) : first(a), second(b) {}
  template <typename C, typename D>
  __device__ constexpr pair(const pair<C, D>& other) : first(other.first), second(other.second) {}
};
template <typename A, typename B> __device__ constexpr pair<A, B> make_pair(A a, B b) {
  return pair<A, B>(a, b);
}
template <typename A, typename B>
__device__ constexpr bool operator==(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first == b.first && a.second == b.second;
}
template <typename A, typename B>
__device__ constexpr bool operator!=(const pair<A, B>& a, const pair<A, B>& b) {
  return !(a == b);
}
template <typename A, typename B>
__device__ constexpr bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <typename A, typename B>
__device__ constexpr bool operator>(const pair<A, B>& a, const pair<A, B>& b) {
  return b < a;
}
template <typename A, typename B>
__device__ constexpr bool operator<=(const pair<A, B>& a, const pair<A, B>& b) {
  return !(b < a);
}
template <typename A, typename B>
__device__ constexpr bool operator>=(const pair<A, B>& a, const pair<A, B>& b) {
  return !(a < b);
}
template <size_t I, typename A, typename B> __device__ constexpr auto& get(pair<A, B>& of) {
  if constexpr (I == 0) return of.first;
  else return of.second;
}
template <size_t I, typename A, typename B>
__device__ constexpr const auto& get(const pair<A, B>& of) {
  if constexpr (I == 0) return of.first;
  else return of.second;
}
