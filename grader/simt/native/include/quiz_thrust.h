// A part of Thrust, on the CPU: vectors in device memory, and algorithms that run over it here.
//
// An iterator of the device becomes one of this process before an algorithm runs (`plain`), and what
// an algorithm wrote is told behind it (`wrote`).
#pragma once

#include <algorithm>
#include <complex>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "quiz_cub.h"
#include "quiz_functors.h"

#define THRUST_MAJOR_VERSION 3
#define THRUST_MINOR_VERSION 0
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_VERSION 300000

namespace thrust {

using std::divides;
using std::equal_to;
using std::get;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::make_pair;
using std::make_tuple;
using std::modulus;
using std::negate;
using std::not_equal_to;
using std::pair;
using std::tie;
using std::tuple;
using std::complex;
template <class T = void> struct identity {
    template <class U> const U &operator()(const U &value) const { return value; }
};
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
struct system_error : std::runtime_error {
    using std::runtime_error::runtime_error;
    int code() const { return 700; }
};
using default_random_engine = std::minstd_rand;
using std::minstd_rand;
template <class T = double> using uniform_real_distribution = std::uniform_real_distribution<T>;
template <class T = int> using uniform_int_distribution = std::uniform_int_distribution<T>;
template <class T = double> using normal_distribution = std::normal_distribution<T>;
namespace random {
using thrust::default_random_engine;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random

// Policies: all algorithms run alike

struct quiz_policy {
    template <class T> quiz_policy operator()(T &&) const { return {}; }
    template <class T> quiz_policy on(T &&) const { return {}; }
};
static const quiz_policy device, host, seq;
namespace cuda {
static const quiz_policy par, par_nosync;
}
namespace system {
namespace cuda = ::thrust::cuda;
}

// Memory of the device

template <class T> char *quiz_reach(const T *pointer, size_t bytes) {
    if (!quiz::is_device(pointer)) return (char *)pointer;
    quiz::Locked locked;
    char *found = quiz::reach(pointer, bytes);
    if (found == nullptr) throw system_error("an illegal memory access was encountered");
    return found;
}
template <class T> struct device_ptr;
template <class T> struct device_reference {
    T *pointer;
    device_ptr<T> operator&() const { return device_ptr<T>(pointer); }
    operator T() const { return *(T *)quiz_reach(pointer, sizeof(T)); }
    const device_reference &operator=(const T &value) const {
        *(T *)quiz_reach(pointer, sizeof(T)) = value;
        quiz::announce_copy(pointer, sizeof(T), nullptr, 0, sizeof(T), 1);
        return *this;
    }
    const device_reference &operator=(const device_reference &other) const { return *this = (T)other; }
    template <class U> const device_reference &operator+=(const U &value) const { return *this = (T)*this + value; }
    template <class U> const device_reference &operator-=(const U &value) const { return *this = (T)*this - value; }
    template <class U> const device_reference &operator*=(const U &value) const { return *this = (T)*this * value; }
};
template <class T> struct device_ptr {
    typedef std::random_access_iterator_tag iterator_category;
    typedef T value_type;
    typedef ptrdiff_t difference_type;
    typedef device_reference<T> reference;
    typedef device_ptr pointer;
    T *at = nullptr;
    device_ptr() = default;
    explicit device_ptr(T *at) : at(at) {}
    template <class U> device_ptr(const device_ptr<U> &other) : at(other.at) {}
    T *get() const { return at; }
    reference operator*() const { return {at}; }
    reference operator[](ptrdiff_t n) const { return {at + n}; }
    device_ptr &operator++() { return ++at, *this; }
    device_ptr operator++(int) { return device_ptr(at++); }
    device_ptr &operator--() { return --at, *this; }
    device_ptr &operator+=(ptrdiff_t n) { return at += n, *this; }
    device_ptr &operator-=(ptrdiff_t n) { return at -= n, *this; }
    device_ptr operator+(ptrdiff_t n) const { return device_ptr(at + n); }
    device_ptr operator-(ptrdiff_t n) const { return device_ptr(at - n); }
    ptrdiff_t operator-(device_ptr other) const { return at - other.at; }
    bool operator==(device_ptr other) const { return at == other.at; }
    bool operator!=(device_ptr other) const { return at != other.at; }
    bool operator<(device_ptr other) const { return at < other.at; }
};
template <class T> void swap(device_ptr<T> &one, device_ptr<T> &other) { std::swap(one.at, other.at); }
template <class T> device_ptr<T> device_pointer_cast(T *pointer) { return device_ptr<T>(pointer); }
template <class T> device_ptr<T> device_pointer_cast(device_ptr<T> pointer) { return pointer; }
template <class T> T *raw_pointer_cast(T *pointer) { return pointer; }
template <class T> T *raw_pointer_cast(device_ptr<T> pointer) { return pointer.at; }
template <class T> device_ptr<T> device_malloc(size_t n) {
    T *made;
    if (cudaMalloc(&made, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return device_ptr<T>(made);
}
struct quiz_untyped {
    void *at;
    template <class T> operator device_ptr<T>() const { return device_ptr<T>((T *)at); }
};
inline quiz_untyped device_malloc(size_t bytes) { return {device_malloc<char>(bytes).at}; }
template <class T> void device_free(device_ptr<T> pointer) { (void)cudaFree(pointer.at); }

// Iterators that hold no memory

template <class Own, class Value, class Reference = Value> struct quiz_iterator {
    typedef std::random_access_iterator_tag iterator_category;
    typedef Value value_type;
    typedef ptrdiff_t difference_type;
    typedef Reference reference;
    typedef void pointer;
    const Own &own() const { return *(const Own *)this; }
    Own &own() { return *(Own *)this; }
    Reference operator*() const { return own()[0]; }
    Own &operator++() { return own() = own() + 1; }
    Own operator++(int) {
        Own before = own();
        own() = own() + 1;
        return before;
    }
    Own &operator--() { return own() = own() + -1; }
    Own &operator+=(ptrdiff_t n) { return own() = own() + n; }
    Own operator-(ptrdiff_t n) const { return own() + -n; }
    bool operator==(const Own &other) const { return own() - other == 0; }
    bool operator!=(const Own &other) const { return own() - other != 0; }
    bool operator<(const Own &other) const { return own() - other < 0; }
};
template <class T> struct counting_iterator : quiz_iterator<counting_iterator<T>, T> {
    T first;
    explicit counting_iterator(T first = T()) : first(first) {}
    using quiz_iterator<counting_iterator<T>, T>::operator-;
    T operator[](ptrdiff_t n) const { return first + (T)n; }
    counting_iterator operator+(ptrdiff_t n) const { return counting_iterator(first + (T)n); }
    ptrdiff_t operator-(const counting_iterator &other) const { return (ptrdiff_t)(first - other.first); }
};
template <class T> struct constant_iterator : quiz_iterator<constant_iterator<T>, T> {
    T value;
    ptrdiff_t at;
    constant_iterator(T value, ptrdiff_t at = 0) : value(value), at(at) {}
    using quiz_iterator<constant_iterator<T>, T>::operator-;
    T operator[](ptrdiff_t) const { return value; }
    constant_iterator operator+(ptrdiff_t n) const { return constant_iterator(value, at + n); }
    ptrdiff_t operator-(const constant_iterator &other) const { return at - other.at; }
};
struct quiz_anything {
    template <class T> const quiz_anything &operator=(const T &) const { return *this; }
};
struct discard_iterator : quiz_iterator<discard_iterator, quiz_anything> {
    ptrdiff_t at;
    discard_iterator(ptrdiff_t at = 0) : at(at) {}
    using quiz_iterator<discard_iterator, quiz_anything>::operator-;
    quiz_anything operator[](ptrdiff_t) const { return {}; }
    discard_iterator operator+(ptrdiff_t n) const { return discard_iterator(at + n); }
    ptrdiff_t operator-(const discard_iterator &other) const { return at - other.at; }
};
template <class It> using quiz_value = typename std::iterator_traits<It>::value_type;
template <class It> using quiz_given = decltype(std::declval<It>()[0]);

// From here on iterators of the device become ones of this process.
template <class T> T *plain(device_ptr<T> it) { return (T *)quiz_reach(it.at, 0); }
template <class T> T *plain(T *it) { return (T *)quiz_reach(it, 0); }
template <class It> It plain(It it) { return it; }
template <class It> void wrote(It, size_t) {}
template <class T> void wrote(T *it, size_t n) {
    if (n && quiz::is_device(it)) quiz::announce_copy(it, n * sizeof(T), nullptr, 0, n * sizeof(T), 1);
}
template <class T> void wrote(device_ptr<T> it, size_t n) { wrote(it.at, n); }

template <class F, class It>
struct transform_iterator
    : quiz_iterator<transform_iterator<F, It>,
                    typename std::decay<decltype(std::declval<F>()(std::declval<quiz_value<It>>()))>::type> {
    typedef typename std::decay<decltype(std::declval<F>()(std::declval<quiz_value<It>>()))>::type gives;
    It it;
    F function;
    transform_iterator(It it, F function = F()) : it(it), function(function) {}
    transform_iterator &operator=(const transform_iterator &other) {
        it = other.it;  // a lambda is not assigned; all iterators of a range have the same
        return *this;
    }
    transform_iterator(const transform_iterator &) = default;
    using quiz_iterator<transform_iterator<F, It>, gives>::operator-;
    gives operator[](ptrdiff_t n) const { return function(it[n]); }
    transform_iterator operator+(ptrdiff_t n) const { return transform_iterator(it + n, function); }
    ptrdiff_t operator-(const transform_iterator &other) const { return it - other.it; }
};
template <class Elements, class Places>
struct permutation_iterator : quiz_iterator<permutation_iterator<Elements, Places>, quiz_value<Elements>,
                                            quiz_given<Elements>> {
    Elements elements;
    Places places;
    permutation_iterator(Elements elements, Places places) : elements(elements), places(places) {}
    using quiz_iterator<permutation_iterator<Elements, Places>, quiz_value<Elements>,
                        quiz_given<Elements>>::operator-;
    quiz_given<Elements> operator[](ptrdiff_t n) const { return elements[(ptrdiff_t)places[n]]; }
    permutation_iterator operator+(ptrdiff_t n) const { return {elements, places + n}; }
    ptrdiff_t operator-(const permutation_iterator &other) const { return places - other.places; }
};
template <class... It>
struct zip_iterator
    : quiz_iterator<zip_iterator<It...>, std::tuple<quiz_value<It>...>, std::tuple<quiz_given<It>...>> {
    typedef std::tuple<quiz_given<It>...> gives;
    std::tuple<It...> all;
    zip_iterator(std::tuple<It...> all) : all(all) {}
    using quiz_iterator<zip_iterator<It...>, std::tuple<quiz_value<It>...>, gives>::operator-;
    gives operator[](ptrdiff_t n) const {
        return std::apply([n](const It &...it) { return gives(it[n]...); }, all);
    }
    zip_iterator operator+(ptrdiff_t n) const {
        return std::apply([n](const It &...it) { return zip_iterator(std::tuple<It...>(it + n...)); }, all);
    }
    ptrdiff_t operator-(const zip_iterator &other) const { return std::get<0>(all) - std::get<0>(other.all); }
};
template <class... It> auto plain(zip_iterator<It...> it) {
    return std::apply(
        [](const It &...each) {
            return zip_iterator<decltype(plain(each))...>(std::make_tuple(plain(each)...));
        },
        it.all);
}
template <class F, class It> auto plain(transform_iterator<F, It> it) {
    F function = it.function;
    quiz::bring(function);
    return transform_iterator<F, decltype(plain(it.it))>(plain(it.it), function);
}
template <class E, class P> auto plain(permutation_iterator<E, P> it) {
    return permutation_iterator<decltype(plain(it.elements)), decltype(plain(it.places))>(
        plain(it.elements), plain(it.places));
}
template <class... It> void wrote(zip_iterator<It...> it, size_t n) {
    std::apply([n](const It &...each) { (wrote(each, n), ...); }, it.all);
}
template <class E, class P> void wrote(permutation_iterator<E, P> it, size_t n) {
    auto places = plain(it.places);
    for (size_t i = 0; i < n; ++i) wrote(it.elements + (ptrdiff_t)places[(ptrdiff_t)i], 1);
}
template <class T> counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }
template <class T> constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }
template <class It, class F> transform_iterator<F, It> make_transform_iterator(It it, F function) {
    return transform_iterator<F, It>(it, function);
}
template <class E, class P> permutation_iterator<E, P> make_permutation_iterator(E elements, P places) {
    return {elements, places};
}
template <class... It> zip_iterator<It...> make_zip_iterator(std::tuple<It...> all) { return {all}; }
template <class... It> zip_iterator<It...> make_zip_iterator(It... it) { return {std::make_tuple(it...)}; }
inline discard_iterator make_discard_iterator() { return {}; }
template <class It> std::reverse_iterator<It> make_reverse_iterator(It it) {
    return std::reverse_iterator<It>(it);
}
template <class It> auto plain(std::reverse_iterator<It> it) {
    return std::reverse_iterator<decltype(plain(it.base()))>(plain(it.base()));
}
template <class It> void wrote(std::reverse_iterator<It> it, size_t n) { wrote(it.base() - (ptrdiff_t)n, n); }
template <class It> struct iterator_traits : std::iterator_traits<It> {};
template <class It> using iterator_value_t = quiz_value<It>;
template <class It> ptrdiff_t distance(It first, It last) { return last - first; }
template <class It> void advance(It &it, ptrdiff_t n) { it += n; }

// Algorithms

template <class T> struct quiz_is_policy : std::is_same<typename std::decay<T>::type, quiz_policy> {};
#define QUIZ_ALGORITHM(name)                                                            \
    template <class P, class... A, std::enable_if_t<quiz_is_policy<P>::value, int> = 0> \
    auto name(P &&, A &&...given) {                                                     \
        return thrust::name(given...);                                                  \
    }
inline void tell() {
    quiz::open_all();  // its kernels come behind what was launched
    quiz::tell_library("Thrust");
}
template <class It> size_t length(It first, It last) {
    tell();
    return (size_t)(last - first);
}
template <class T> using quiz_plain = std::enable_if_t<!quiz_is_policy<T>::value, int>;

template <class It, class F, quiz_plain<It> = 0> It for_each(It first, It last, F function) {
    quiz::Called called(function);
    size_t n = length(first, last);
    auto each = plain(first);
    for (size_t i = 0; i < n; ++i) function(each[(ptrdiff_t)i]);
    wrote(first, n);
    return last;
}
template <class It, class Out, class F, quiz_plain<It> = 0> Out transform(It first, It last, Out out, F function) {
    quiz::Called called(function);
    size_t n = length(first, last);
    auto each = plain(first);
    auto to = plain(out);
    for (size_t i = 0; i < n; ++i) to[(ptrdiff_t)i] = function(each[(ptrdiff_t)i]);
    wrote(out, n);
    return out + (ptrdiff_t)n;
}
template <class It, class Other, class Out, class F, quiz_plain<It> = 0>
Out transform(It first, It last, Other other, Out out, F function) {
    quiz::Called called(function);
    size_t n = length(first, last);
    auto each = plain(first);
    auto second = plain(other);
    auto to = plain(out);
    for (size_t i = 0; i < n; ++i) to[(ptrdiff_t)i] = function(each[(ptrdiff_t)i], second[(ptrdiff_t)i]);
    wrote(out, n);
    return out + (ptrdiff_t)n;
}
template <class It, class Out, quiz_plain<It> = 0> Out copy(It first, It last, Out out) {
    return thrust::transform(first, last, out, identity<>());
}
template <class It, class Out, quiz_plain<It> = 0> Out copy_n(It first, size_t n, Out out) {
    return thrust::copy(first, first + (ptrdiff_t)n, out);
}
template <class It, class T, quiz_plain<It> = 0> void fill(It first, It last, const T &value) {
    thrust::copy(constant_iterator<T>(value), constant_iterator<T>(value, last - first), first);
}
template <class It, class T, quiz_plain<It> = 0> It fill_n(It first, size_t n, const T &value) {
    thrust::fill(first, first + (ptrdiff_t)n, value);
    return first + (ptrdiff_t)n;
}
template <class It, class T, quiz_plain<It> = 0> void sequence(It first, It last, T start, T step) {
    size_t n = length(first, last);
    auto to = plain(first);
    for (size_t i = 0; i < n; ++i) to[(ptrdiff_t)i] = start + (T)i * step;
    wrote(first, n);
}
template <class It, class T, quiz_plain<It> = 0> void sequence(It first, It last, T start) {
    thrust::sequence(first, last, start, T(1));
}
template <class It, quiz_plain<It> = 0> void sequence(It first, It last) {
    thrust::sequence(first, last, quiz_value<It>(0));
}
template <class It, class F, quiz_plain<It> = 0> void generate(It first, It last, F next) {
    quiz::Called called(next);
    size_t n = length(first, last);
    auto to = plain(first);
    for (size_t i = 0; i < n; ++i) to[(ptrdiff_t)i] = next();
    wrote(first, n);
}
template <class It, class F, quiz_plain<It> = 0> void tabulate(It first, It last, F function) {
    quiz::Called called(function);
    thrust::transform(counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(last - first), first, function);
}
template <class It, class F, class T, class G, quiz_plain<It> = 0>
T transform_reduce(It first, It last, F function, T start, G join) {
    quiz::Called called(function, join);
    size_t n = length(first, last);
    auto each = plain(first);
    for (size_t i = 0; i < n; ++i) start = join(start, function(each[(ptrdiff_t)i]));
    return start;
}
template <class It, class T, class G, quiz_plain<It> = 0> T reduce(It first, It last, T start, G join) {
    quiz::Called called(join);
    return thrust::transform_reduce(first, last, identity<>(), start, join);
}
template <class It, class T, quiz_plain<It> = 0> T reduce(It first, It last, T start) {
    return thrust::reduce(first, last, start, std::plus<>());
}
template <class It, quiz_plain<It> = 0> quiz_value<It> reduce(It first, It last) {
    return thrust::reduce(first, last, quiz_value<It>());
}
template <class It, class Other, class T, class G, class F, quiz_plain<It> = 0>
T inner_product(It first, It last, Other other, T start, G join, F function) {
    quiz::Called called(join, function);
    size_t n = length(first, last);
    auto each = plain(first);
    auto second = plain(other);
    for (size_t i = 0; i < n; ++i) start = join(start, function(each[(ptrdiff_t)i], second[(ptrdiff_t)i]));
    return start;
}
template <class It, class Other, class T, quiz_plain<It> = 0>
T inner_product(It first, It last, Other other, T start) {
    return thrust::inner_product(first, last, other, start, std::plus<>(), std::multiplies<>());
}
template <class It, class F, quiz_plain<It> = 0> ptrdiff_t count_if(It first, It last, F test) {
    quiz::Called called(test);
    return thrust::transform_reduce(first, last, [&](const auto &x) { return test(x) ? 1 : 0; }, ptrdiff_t(0),
                                    std::plus<>());
}
template <class It, class T, quiz_plain<It> = 0> ptrdiff_t count(It first, It last, const T &value) {
    return thrust::count_if(first, last, [&](const auto &x) { return x == value; });
}
template <class It, class F, quiz_plain<It> = 0> It find_if(It first, It last, F test) {
    quiz::Called called(test);
    size_t n = length(first, last), i = 0;
    auto each = plain(first);
    while (i < n && !test(each[(ptrdiff_t)i])) ++i;
    return first + (ptrdiff_t)i;
}
template <class It, class T, quiz_plain<It> = 0> It find(It first, It last, const T &value) {
    return thrust::find_if(first, last, [&](const auto &x) { return x == value; });
}
template <class It, class F, quiz_plain<It> = 0> bool any_of(It first, It last, F test) {
    quiz::Called called(test);
    return thrust::find_if(first, last, test) != last;
}
template <class It, class F, quiz_plain<It> = 0> bool none_of(It first, It last, F test) {
    quiz::Called called(test);
    return !thrust::any_of(first, last, test);
}
template <class It, class F, quiz_plain<It> = 0> bool all_of(It first, It last, F test) {
    quiz::Called called(test);
    return !thrust::any_of(first, last, [&](const auto &x) { return !test(x); });
}
template <class It, class Other, quiz_plain<It> = 0> bool equal(It first, It last, Other other) {
    size_t n = length(first, last);
    auto each = plain(first);
    auto second = plain(other);
    for (size_t i = 0; i < n; ++i)
        if (!(each[(ptrdiff_t)i] == second[(ptrdiff_t)i])) return false;
    return true;
}
template <class It, class F = std::less<>, quiz_plain<It> = 0> It min_element(It first, It last, F before = F()) {
    quiz::Called called(before);
    size_t n = length(first, last), best = 0;
    auto each = plain(first);
    for (size_t i = 1; i < n; ++i)
        if (before(each[(ptrdiff_t)i], each[(ptrdiff_t)best])) best = i;
    return first + (ptrdiff_t)best;
}
template <class It, class F = std::less<>, quiz_plain<It> = 0> It max_element(It first, It last, F before = F()) {
    quiz::Called called(before);
    return thrust::min_element(first, last, [&](const auto &a, const auto &b) { return before(b, a); });
}
template <class It, class F = std::less<>, quiz_plain<It> = 0>
pair<It, It> minmax_element(It first, It last, F before = F()) {
    quiz::Called called(before);
    return {thrust::min_element(first, last, before), thrust::max_element(first, last, before)};
}
// The values of a range, for what moves them.
template <class It> auto taken(It first, It last) {
    size_t n = length(first, last);
    auto each = plain(first);
    std::vector<quiz_value<It>> values;
    for (size_t i = 0; i < n; ++i) values.push_back(each[(ptrdiff_t)i]);
    return values;
}
template <class T, class Out> Out put(const std::vector<T> &values, Out out) {
    auto to = plain(out);
    for (size_t i = 0; i < values.size(); ++i) to[(ptrdiff_t)i] = values[i];
    wrote(out, values.size());
    return out + (ptrdiff_t)values.size();
}
template <class It, class F = std::less<>, quiz_plain<It> = 0> void stable_sort(It first, It last, F before = F()) {
    quiz::Called called(before);
    auto values = taken(first, last);
    std::stable_sort(values.begin(), values.end(), before);
    put(values, first);
}
template <class It, class F = std::less<>, quiz_plain<It> = 0> void sort(It first, It last, F before = F()) {
    quiz::Called called(before);
    thrust::stable_sort(first, last, before);
}
template <class K, class V, class F = std::less<>, quiz_plain<K> = 0>
void stable_sort_by_key(K first, K last, V values, F before = F()) {
    quiz::Called called(before);
    auto keys = taken(first, last);
    auto old = taken(values, values + (last - first));
    std::vector<size_t> order(keys.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return before(keys[a], keys[b]); });
    auto moved_keys = keys;
    auto moved = old;
    for (size_t i = 0; i < order.size(); ++i) moved_keys[i] = keys[order[i]], moved[i] = old[order[i]];
    put(moved_keys, first);
    put(moved, values);
}
template <class K, class V, class F = std::less<>, quiz_plain<K> = 0>
void sort_by_key(K first, K last, V values, F before = F()) {
    quiz::Called called(before);
    thrust::stable_sort_by_key(first, last, values, before);
}
template <class It, class F = std::less<>, quiz_plain<It> = 0> bool is_sorted(It first, It last, F before = F()) {
    quiz::Called called(before);
    auto values = taken(first, last);
    return std::is_sorted(values.begin(), values.end(), before);
}
template <class It, quiz_plain<It> = 0> void reverse(It first, It last) {
    auto values = taken(first, last);
    std::reverse(values.begin(), values.end());
    put(values, first);
}
template <class It, class Stencil, class Out, class F, quiz_plain<It> = 0>
Out copy_if(It first, It last, Stencil stencil, Out out, F test) {
    quiz::Called called(test);
    size_t n = length(first, last);
    auto each = plain(first);
    auto tested = plain(stencil);
    std::vector<quiz_value<It>> kept;
    for (size_t i = 0; i < n; ++i)
        if (test(tested[(ptrdiff_t)i])) kept.push_back(each[(ptrdiff_t)i]);
    return put(kept, out);
}
template <class It, class Out, class F, quiz_plain<It> = 0> Out copy_if(It first, It last, Out out, F test) {
    quiz::Called called(test);
    return thrust::copy_if(first, last, first, out, test);
}
template <class It, class F, quiz_plain<It> = 0> It remove_if(It first, It last, F test) {
    quiz::Called called(test);
    return thrust::copy_if(first, last, first, [&](const auto &x) { return !test(x); });
}
template <class It, class T, quiz_plain<It> = 0> It remove(It first, It last, const T &value) {
    return thrust::remove_if(first, last, [&](const auto &x) { return x == value; });
}
template <class It, class F, class T, quiz_plain<It> = 0>
void replace_if(It first, It last, F test, const T &value) {
    quiz::Called called(test);
    thrust::transform(first, last, first, [&](const auto &x) { return test(x) ? quiz_value<It>(value) : x; });
}
template <class It, class T, quiz_plain<It> = 0>
void replace(It first, It last, const T &old, const T &value) {
    thrust::replace_if(first, last, [&](const auto &x) { return x == old; }, value);
}
template <class It, class F = std::equal_to<>, quiz_plain<It> = 0> It unique(It first, It last, F same = F()) {
    quiz::Called called(same);
    auto values = taken(first, last);
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    return put(values, first);
}
// Sums of values with equal neighbors as keys.
template <class K, class V, class KO, class VO, class Same = std::equal_to<>, class Join = std::plus<>,
          quiz_plain<K> = 0>
pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO out, Same same = Same(), Join join = Join()) {
    quiz::Called called(same, join);
    auto keys = taken(first, last);
    auto given = taken(values, values + (last - first));
    decltype(keys) kept;
    decltype(given) sums;
    for (size_t i = 0; i < keys.size(); ++i)
        if (i > 0 && same(keys[i - 1], keys[i])) {
            sums.back() = join(sums.back(), given[i]);
        } else {
            kept.push_back(keys[i]);
            sums.push_back(given[i]);
        }
    return {put(kept, keys_out), put(sums, out)};
}
template <class K, class V, class Same = std::equal_to<>, quiz_plain<K> = 0>
pair<K, V> unique_by_key(K first, K last, V values, Same same = Same()) {
    quiz::Called called(same);
    return thrust::reduce_by_key(first, last, values, first, values, same, [](auto a, auto) { return a; });
}
template <class K, class V, class KO, class VO, class Same = std::equal_to<>, quiz_plain<K> = 0>
pair<KO, VO> unique_by_key_copy(K first, K last, V values, KO keys_out, VO out, Same same = Same()) {
    quiz::Called called(same);
    return thrust::reduce_by_key(first, last, values, keys_out, out, same, [](auto a, auto) { return a; });
}
template <class It, class Out, class F = std::plus<>, quiz_plain<It> = 0>
Out inclusive_scan(It first, It last, Out out, F join = F()) {
    quiz::Called called(join);
    auto values = taken(first, last);
    for (size_t i = 1; i < values.size(); ++i) values[i] = join(values[i - 1], values[i]);
    return put(values, out);
}
template <class It, class Out, class T, class F = std::plus<>, quiz_plain<It> = 0>
Out exclusive_scan(It first, It last, Out out, T start, F join = F()) {
    quiz::Called called(join);
    auto values = taken(first, last);
    std::vector<T> sums;
    for (const auto &each : values) {
        sums.push_back(start);
        start = join(start, each);
    }
    return put(sums, out);
}
template <class It, class Out, quiz_plain<It> = 0> Out exclusive_scan(It first, It last, Out out) {
    return thrust::exclusive_scan(first, last, out, quiz_value<It>());
}
template <class It, class Out, class F, class G, quiz_plain<It> = 0>
Out transform_inclusive_scan(It first, It last, Out out, F function, G join) {
    quiz::Called called(function, join);
    return thrust::inclusive_scan(make_transform_iterator(first, function), make_transform_iterator(last, function),
                                  out, join);
}
template <class K, class V, class Out, class Same = std::equal_to<>, class F = std::plus<>, quiz_plain<K> = 0>
Out inclusive_scan_by_key(K first, K last, V values, Out out, Same same = Same(), F join = F()) {
    quiz::Called called(same, join);
    auto keys = taken(first, last);
    auto sums = taken(values, values + (last - first));
    for (size_t i = 1; i < sums.size(); ++i)
        if (same(keys[i - 1], keys[i])) sums[i] = join(sums[i - 1], sums[i]);
    return put(sums, out);
}
template <class It, class Out, class F = std::minus<>, quiz_plain<It> = 0>
Out adjacent_difference(It first, It last, Out out, F function = F()) {
    quiz::Called called(function);
    auto values = taken(first, last);
    auto found = values;
    for (size_t i = 1; i < values.size(); ++i) found[i] = function(values[i], values[i - 1]);
    return put(found, out);
}
template <class Places, class It, class Out, quiz_plain<Places> = 0>
Out gather(Places first, Places last, It from, Out out) {
    return thrust::copy(make_permutation_iterator(from, first), make_permutation_iterator(from, last), out);
}
template <class It, class Places, class Out, quiz_plain<It> = 0>
void scatter(It first, It last, Places places, Out out) {
    thrust::copy(first, last, make_permutation_iterator(out, places));
}
template <class It, class T, quiz_plain<It> = 0> It lower_bound(It first, It last, const T &value) {
    auto values = taken(first, last);
    return first + (std::lower_bound(values.begin(), values.end(), value) - values.begin());
}
template <class It, class T, quiz_plain<It> = 0> It upper_bound(It first, It last, const T &value) {
    auto values = taken(first, last);
    return first + (std::upper_bound(values.begin(), values.end(), value) - values.begin());
}
template <class It, class T, quiz_plain<It> = 0> bool binary_search(It first, It last, const T &value) {
    auto values = taken(first, last);
    return std::binary_search(values.begin(), values.end(), value);
}
QUIZ_ALGORITHM(for_each) QUIZ_ALGORITHM(transform) QUIZ_ALGORITHM(copy) QUIZ_ALGORITHM(copy_n)
QUIZ_ALGORITHM(fill) QUIZ_ALGORITHM(fill_n) QUIZ_ALGORITHM(sequence) QUIZ_ALGORITHM(generate)
QUIZ_ALGORITHM(tabulate) QUIZ_ALGORITHM(transform_reduce) QUIZ_ALGORITHM(reduce)
QUIZ_ALGORITHM(inner_product) QUIZ_ALGORITHM(count_if) QUIZ_ALGORITHM(count) QUIZ_ALGORITHM(find_if)
QUIZ_ALGORITHM(find) QUIZ_ALGORITHM(any_of) QUIZ_ALGORITHM(none_of) QUIZ_ALGORITHM(all_of)
QUIZ_ALGORITHM(equal) QUIZ_ALGORITHM(min_element) QUIZ_ALGORITHM(max_element)
QUIZ_ALGORITHM(minmax_element) QUIZ_ALGORITHM(stable_sort) QUIZ_ALGORITHM(sort)
QUIZ_ALGORITHM(stable_sort_by_key) QUIZ_ALGORITHM(sort_by_key) QUIZ_ALGORITHM(is_sorted)
QUIZ_ALGORITHM(reverse) QUIZ_ALGORITHM(copy_if) QUIZ_ALGORITHM(remove_if) QUIZ_ALGORITHM(remove)
QUIZ_ALGORITHM(replace_if) QUIZ_ALGORITHM(replace) QUIZ_ALGORITHM(unique) QUIZ_ALGORITHM(reduce_by_key)
QUIZ_ALGORITHM(unique_by_key) QUIZ_ALGORITHM(unique_by_key_copy) QUIZ_ALGORITHM(inclusive_scan) QUIZ_ALGORITHM(exclusive_scan)
QUIZ_ALGORITHM(transform_inclusive_scan) QUIZ_ALGORITHM(inclusive_scan_by_key)
QUIZ_ALGORITHM(adjacent_difference) QUIZ_ALGORITHM(gather) QUIZ_ALGORITHM(scatter)
QUIZ_ALGORITHM(lower_bound) QUIZ_ALGORITHM(upper_bound) QUIZ_ALGORITHM(binary_search)
#undef QUIZ_ALGORITHM

// Vectors

template <class T> struct device_vector;
template <class T> struct host_vector : std::vector<T> {
    using std::vector<T>::vector;
    host_vector() = default;
    template <class U> host_vector(const device_vector<U> &other) { *this = other; }
    template <class U> host_vector &operator=(const device_vector<U> &other) {
        this->resize(other.size());
        thrust::copy(other.begin(), other.end(), this->data());
        return *this;
    }
};
template <class T> struct device_vector {
    typedef T value_type;
    typedef device_ptr<T> iterator, const_iterator, pointer;
    typedef device_reference<T> reference;
    typedef size_t size_type;
    device_ptr<T> first;
    size_t count = 0, room = 0;
    device_vector() = default;
    explicit device_vector(size_t n) { resize(n); }
    device_vector(size_t n, const T &value) { assign(n, value); }
    device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
    device_vector(device_vector &&other) { swap(other); }
    template <class U> device_vector(const std::vector<U> &other) { assign(other.data(), other.data() + other.size()); }
    template <class U> device_vector(const device_vector<U> &other) { assign(other.begin(), other.end()); }
    device_vector(std::initializer_list<T> given) { assign(given.begin(), given.end()); }
    template <class It, class = quiz_value<It>> device_vector(It begin, It end) { assign(begin, end); }
    ~device_vector() { (void)cudaFree(first.at); }
    device_vector &operator=(const device_vector &other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    device_vector &operator=(device_vector &&other) { return swap(other), *this; }
    template <class U> device_vector &operator=(const std::vector<U> &other) {
        assign(other.data(), other.data() + other.size());
        return *this;
    }
    void reserve(size_t n) {
        if (n <= room) return;
        device_ptr<T> made = device_malloc<T>(n);
        thrust::copy(begin(), end(), made);
        (void)cudaFree(first.at);
        first = made;
        room = n;
    }
    void resize(size_t n, const T &value = T()) {
        if (n > room) reserve(n);
        if (n > count) thrust::fill(first + (ptrdiff_t)count, first + (ptrdiff_t)n, value);
        count = n;
    }
    template <class It, class = quiz_value<It>> void assign(It begin, It end) {
        count = 0;
        reserve((size_t)(end - begin));
        count = (size_t)(end - begin);
        thrust::copy(begin, end, first);
    }
    void assign(size_t n, const T &value) {
        count = 0;
        resize(n, value);
    }
    void push_back(const T &value) {
        if (count == room) reserve(2 * room + 4);
        first[(ptrdiff_t)count++] = value;
    }
    void pop_back() { --count; }
    void clear() { count = 0; }
    void shrink_to_fit() {}
    void swap(device_vector &other) {
        std::swap(first, other.first);
        std::swap(count, other.count);
        std::swap(room, other.room);
    }
    size_t size() const { return count; }
    size_t capacity() const { return room; }
    bool empty() const { return count == 0; }
    device_ptr<T> begin() const { return first; }
    device_ptr<T> end() const { return first + (ptrdiff_t)count; }
    device_ptr<T> cbegin() const { return begin(); }
    device_ptr<T> cend() const { return end(); }
    device_ptr<T> data() const { return first; }
    reference operator[](size_t n) const { return first[(ptrdiff_t)n]; }
    reference front() const { return first[0]; }
    reference back() const { return first[(ptrdiff_t)count - 1]; }
};
template <class T> bool operator==(const device_vector<T> &a, const device_vector<T> &b) {
    return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}

}  // namespace thrust
