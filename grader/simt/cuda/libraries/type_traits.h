// Type traits of the standard library. A type carries no reference here, so none of these asks
// for one; `is_same` and `common_type` are the front end's own.
namespace std {

template <bool B, typename T, typename F> struct conditional { using type = T; };
template <typename T, typename F> struct conditional<false, T, F> { using type = F; };
template <bool B, typename T, typename F> using conditional_t = typename conditional<B, T, F>::type;

template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
template <typename... T> using void_t = void;

template <typename T> struct remove_const { using type = T; };
template <typename T> struct remove_const<const T> { using type = T; };
template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> struct remove_cv { using type = typename remove_const<T>::type; };
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> struct remove_reference { using type = T; };
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> struct remove_pointer { using type = T; };
template <typename T> struct remove_pointer<T*> { using type = T; };
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> struct decay { using type = typename remove_const<T>::type; };
template <typename T, unsigned long N> struct decay<T[N]> { using type = T*; };
template <typename T> using decay_t = typename decay<T>::type;

template <typename T> struct make_signed {};
template <> struct make_signed<char> { using type = signed char; };
template <> struct make_signed<signed char> { using type = signed char; };
template <> struct make_signed<unsigned char> { using type = signed char; };
template <> struct make_signed<short> { using type = short; };
template <> struct make_signed<unsigned short> { using type = short; };
template <> struct make_signed<int> { using type = int; };
template <> struct make_signed<unsigned> { using type = int; };
template <> struct make_signed<long> { using type = long; };
template <> struct make_signed<unsigned long> { using type = long; };
template <> struct make_signed<long long> { using type = long long; };
template <> struct make_signed<unsigned long long> { using type = long long; };
template <typename T> using make_signed_t = typename make_signed<T>::type;
template <typename T> struct make_unsigned {};
template <> struct make_unsigned<char> { using type = unsigned char; };
template <> struct make_unsigned<signed char> { using type = unsigned char; };
template <> struct make_unsigned<unsigned char> { using type = unsigned char; };
template <> struct make_unsigned<short> { using type = unsigned short; };
template <> struct make_unsigned<unsigned short> { using type = unsigned short; };
template <> struct make_unsigned<int> { using type = unsigned; };
template <> struct make_unsigned<unsigned> { using type = unsigned; };
template <> struct make_unsigned<long> { using type = unsigned long; };
template <> struct make_unsigned<unsigned long> { using type = unsigned long; };
template <> struct make_unsigned<long long> { using type = unsigned long long; };
template <> struct make_unsigned<unsigned long long> { using type = unsigned long long; };
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;

template <typename T> struct quiz_is_integral : std::false_type {};
template <> struct quiz_is_integral<bool> : std::true_type {};
template <> struct quiz_is_integral<char> : std::true_type {};
template <> struct quiz_is_integral<signed char> : std::true_type {};
template <> struct quiz_is_integral<unsigned char> : std::true_type {};
template <> struct quiz_is_integral<short> : std::true_type {};
template <> struct quiz_is_integral<unsigned short> : std::true_type {};
template <> struct quiz_is_integral<int> : std::true_type {};
template <> struct quiz_is_integral<unsigned> : std::true_type {};
template <> struct quiz_is_integral<long> : std::true_type {};
template <> struct quiz_is_integral<unsigned long> : std::true_type {};
template <> struct quiz_is_integral<long long> : std::true_type {};
template <> struct quiz_is_integral<unsigned long long> : std::true_type {};
template <typename T> struct is_integral : quiz_is_integral<remove_cv_t<T>> {};
template <typename T> constexpr bool is_integral_v = is_integral<T>::value;

template <typename T> struct quiz_is_floating_point : std::false_type {};
template <> struct quiz_is_floating_point<float> : std::true_type {};
template <> struct quiz_is_floating_point<double> : std::true_type {};
template <typename T> struct is_floating_point : quiz_is_floating_point<remove_cv_t<T>> {};
template <typename T> constexpr bool is_floating_point_v = is_floating_point<T>::value;

template <typename T>
struct is_arithmetic : std::bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <typename T> constexpr bool is_arithmetic_v = is_arithmetic<T>::value;

template <typename T, bool A> struct quiz_is_signed : std::false_type {};
template <typename T> struct quiz_is_signed<T, true> : std::bool_constant<(T(-1) < T(0))> {};
template <typename T>
struct is_signed : quiz_is_signed<remove_cv_t<T>, is_arithmetic<T>::value> {};
template <typename T> constexpr bool is_signed_v = is_signed<T>::value;
template <typename T>
struct is_unsigned : std::bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};
template <typename T> constexpr bool is_unsigned_v = is_unsigned<T>::value;

template <typename T> struct is_pointer : std::false_type {};
template <typename T> struct is_pointer<T*> : std::true_type {};
template <typename T> constexpr bool is_pointer_v = is_pointer<T>::value;
template <typename T> struct is_const : std::false_type {};
template <typename T> struct is_const<const T> : std::true_type {};
template <typename T> constexpr bool is_const_v = is_const<T>::value;
template <typename T> struct quiz_is_void : std::false_type {};
template <> struct quiz_is_void<void> : std::true_type {};
template <typename T> struct is_void : quiz_is_void<remove_cv_t<T>> {};
template <typename T> constexpr bool is_void_v = is_void<T>::value;

}  // namespace std
