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
}  // namespace std
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
