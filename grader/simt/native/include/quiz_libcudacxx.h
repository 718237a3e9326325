// The names of libcu++ that host code may have at file scope, such as in `using`: its kernels are
// compiled apart. What the C++ library has under the same name is that.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

#if __cplusplus < 202002L
namespace std {
struct identity {
    template <class T> constexpr T &&operator()(T &&value) const { return static_cast<T &&>(value); }
};
inline constexpr size_t dynamic_extent = size_t(-1);
template <class T, size_t Extent>
struct quiz_view {
    T *first_ = nullptr;
    static constexpr size_t size_ = Extent;
    constexpr quiz_view() = default;
    constexpr quiz_view(T *first, size_t) : first_(first) {}
};
template <class T>
struct quiz_view<T, dynamic_extent> {
    T *first_ = nullptr;
    size_t size_ = 0;
    constexpr quiz_view() = default;
    constexpr quiz_view(T *first, size_t size) : first_(first), size_(size) {}
};
template <class T, size_t Extent = dynamic_extent>
class span : quiz_view<T, Extent> {
    using quiz_view<T, Extent>::first_;
    using quiz_view<T, Extent>::size_;

   public:
    static constexpr size_t extent = Extent;
    using element_type = T;
    using value_type = remove_cv_t<T>;
    using size_type = size_t;
    using iterator = T *;
    constexpr span() = default;
    constexpr span(T *first, size_t size) : quiz_view<T, Extent>(first, size) {}
    constexpr span(T *first, T *last) : span(first, size_t(last - first)) {}
    template <size_t Size> constexpr span(T (&all)[Size]) : span(all, Size) {}
    template <class C, class = enable_if_t<is_convertible_v<decltype(declval<C &>().data()), T *>>>
    constexpr span(C &&all) : span(all.data(), all.size()) {}
    constexpr T *data() const { return first_; }
    constexpr size_t size() const { return size_; }
    constexpr size_t size_bytes() const { return size_ * sizeof(T); }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T *begin() const { return first_; }
    constexpr T *end() const { return first_ + size_; }
    constexpr T &front() const { return first_[0]; }
    constexpr T &back() const { return first_[size_ - 1]; }
    constexpr T &operator[](size_t at) const { return first_[at]; }
    constexpr span<T> first(size_t count) const { return {first_, count}; }
    constexpr span<T> last(size_t count) const { return {end() - count, count}; }
    constexpr span<T> subspan(size_t from, size_t count = dynamic_extent) const {
        return {first_ + from, count == dynamic_extent ? size_ - from : count};
    }
};
}  // namespace std
#else
#include <span>
#endif

namespace cuda {
namespace std = ::std;

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};
enum class pipeline_role { producer, consumer };

template <thread_scope Scope, class Completion = void>
class barrier;
template <>
class barrier<thread_scope_system> {
   public:
    class arrival_token;
};
template <>
class barrier<thread_scope_device> {
   public:
    class arrival_token;
};
template <>
class barrier<thread_scope_block> {
   public:
    class arrival_token;
};
template <thread_scope Scope>
class pipeline;
template <thread_scope Scope, int Stages>
class pipeline_shared_state;
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref;
template <class T, thread_scope Scope = thread_scope_system>
using atomic = ::std::atomic<T>;

template <class T = void>
struct maximum {
    T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};
template <class T = void>
struct minimum {
    T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return b < a ? b : a;
    }
};

namespace ptx {}
namespace device {
namespace experimental {}
}  // namespace device
}  // namespace cuda
