// Values of any types. What comes last is first in memory, as the host's library has it.
#define QUIZ_NONE                                                                       \
  template <typename O> __device__ constexpr bool quiz_equal(const O&) const { return true; } \
  template <typename O> __device__ constexpr bool quiz_less(const O&) const { return false; }
#define QUIZ_SOME(name)                                                                 \
  using quiz_rest = name<T...>;                                                         \
  template <typename O> __device__ constexpr bool quiz_equal(const O& o) const {        \
    return quiz_head == o.quiz_head &&                                                  \
           quiz_rest::quiz_equal(static_cast<const typename O::quiz_rest&>(o));         \
  }                                                                                     \
  template <typename O> __device__ constexpr bool quiz_less(const O& o) const {         \
    return quiz_head < o.quiz_head ||                                                   \
           (!(o.quiz_head < quiz_head) &&                                               \
            quiz_rest::quiz_less(static_cast<const typename O::quiz_rest&>(o)));        \
  }
#define QUIZ_COMPARE(name, operator, value)                                             \
  template <typename... A, typename... B>                                               \
  __device__ constexpr bool operator(const name<A...>& a, const name<B...>& b) { return value; }
#define QUIZ_COMPARISONS(name)                         \
  QUIZ_COMPARE(name, operator==, a.quiz_equal(b))      \
  QUIZ_COMPARE(name, operator!=, !a.quiz_equal(b))     \
  QUIZ_COMPARE(name, operator<, a.quiz_less(b))        \
  QUIZ_COMPARE(name, operator>, b.quiz_less(a))        \
  QUIZ_COMPARE(name, operator<=, !b.quiz_less(a))      \
  QUIZ_COMPARE(name, operator>=, !a.quiz_less(b))
struct quiz_ignore {
  template <typename T> __device__ constexpr const quiz_ignore& operator=(const T&) const {
    return *this;
  }
};
__device__ quiz_ignore ignore;
template <typename... T> struct tuple;
template <> struct tuple<> {
  QUIZ_NONE
};
template <typename H, typename... T> struct tuple<H, T...> : tuple<T...> {
  H quiz_head;
  QUIZ_SOME(tuple)
  tuple() = default;
  __device__ constexpr tuple(const H& head, const T&... rest)
      : tuple<T...>(rest...), quiz_head(head) {}
  template <typename A, typename... B>
  __device__ constexpr tuple(const tuple<A, B...>& other)
      : tuple<T...>(static_cast<const tuple<B...>&>(other)), quiz_head(other.quiz_head) {}
};
template <typename... T> tuple(T...) -> tuple<T...>;
template <size_t I, typename T> struct tuple_element;
template <typename H, typename... T> struct tuple_element<0, tuple<H, T...>> {
  using type = H;
  using quiz_base = tuple<H, T...>;
};
template <size_t I, typename H, typename... T>
struct tuple_element<I, tuple<H, T...>> : tuple_element<I - 1, tuple<T...>> {};
template <size_t I, typename T> using tuple_element_t = typename tuple_element<I, T>::type;
template <typename T> struct tuple_size;
template <typename... T> struct tuple_size<tuple<T...>> {
  static constexpr size_t value = sizeof...(T);
};
template <typename T> constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t I, typename... T>
__device__ constexpr tuple_element_t<I, tuple<T...>>& get(tuple<T...>& of) {
  return static_cast<typename tuple_element<I, tuple<T...>>::quiz_base&>(of).quiz_head;
}
template <size_t I, typename... T>
__device__ constexpr const tuple_element_t<I, tuple<T...>>& get(const tuple<T...>& of) {
  return static_cast<const typename tuple_element<I, tuple<T...>>::quiz_base&>(of).quiz_head;
}
template <typename W, typename H, typename... T>
__device__ constexpr W& get(tuple<H, T...>& of) {
  if constexpr (::std::is_same_v<W, H>) return of.quiz_head;
  else return get<W>(static_cast<tuple<T...>&>(of));
}
template <typename W, typename H, typename... T>
__device__ constexpr const W& get(const tuple<H, T...>& of) {
  if constexpr (::std::is_same_v<W, H>) return of.quiz_head;
  else return get<W>(static_cast<const tuple<T...>&>(of));
}
template <typename... T> __device__ constexpr tuple<T...> make_tuple(T... values) {
  return tuple<T...>(values...);
}
template <typename... T> struct quiz_tie;
template <> struct quiz_tie<> {
  QUIZ_NONE
  __device__ void quiz_take(const tuple<>&) const {}
};
template <typename H, typename... T> struct quiz_tie<H, T...> : quiz_tie<T...> {
  H& quiz_head;
  QUIZ_SOME(quiz_tie)
  __device__ quiz_tie(H& head, T&... rest) : quiz_tie<T...>(rest...), quiz_head(head) {}
  template <typename A, typename... B> __device__ void quiz_take(const tuple<A, B...>& from) const {
    quiz_head = from.quiz_head;
    quiz_tie<T...>::quiz_take(static_cast<const tuple<B...>&>(from));
  }
  template <typename... B> __device__ const quiz_tie& operator=(const tuple<B...>& from) const {
    quiz_take(from);
    return *this;
  }
  template <typename A, typename B> __device__ const quiz_tie& operator=(const pair<A, B>& from) const {
    quiz_take(tuple<A, B>(from.first, from.second));
    return *this;
  }
};
template <typename... T> __device__ quiz_tie<T...> tie(T&... values) { return quiz_tie<T...>(values...); }
template <typename F, typename... T, size_t... I>
__device__ constexpr auto quiz_apply(F& f, const tuple<T...>& given, index_sequence<I...>) {
  return f(get<I>(given)...);
}
template <typename F, typename... T> __device__ constexpr auto apply(F f, const tuple<T...>& given) {
  return quiz_apply(f, given, make_index_sequence<sizeof...(T)>{});
}
QUIZ_COMPARISONS(tuple)
QUIZ_COMPARISONS(quiz_tie)
