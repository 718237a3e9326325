// Atomic objects and references of libcu++: atomics of CUDA C++ between the fences of their order.
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order {
  memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release,
  memory_order_acq_rel, memory_order_seq_cst
};

__device__ inline void fence_in(thread_scope scope) {
  if (scope == thread_scope_system) __threadfence_system();
  if (scope == thread_scope_device) __threadfence();
  if (scope == thread_scope_block) __threadfence_block();
}
__device__ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order != memory_order_relaxed) fence_in(scope);
}
template <thread_scope S> __device__ void order_before(memory_order order) {
  if (order == memory_order_seq_cst) {
    fence_in(S);
  } else if (order >= memory_order_release) {
    if (S == thread_scope_block) asm volatile("fence.release.cta;" ::: "memory");
    if (S < thread_scope_block) asm volatile("fence.release.gpu;" ::: "memory");
  }
}
template <thread_scope S> __device__ void order_after(memory_order order) {
  if (order != memory_order_relaxed && order != memory_order_release) {
    if (S == thread_scope_block) asm volatile("fence.acquire.cta;" ::: "memory");
    if (S < thread_scope_block) asm volatile("fence.acquire.gpu;" ::: "memory");
  }
}

// A load and a store that no other access can tear; the bits of a float go as an integer's.
__device__ inline unsigned load_bits(const unsigned* p) {
  unsigned bits;
  asm volatile("ld.relaxed.sys.b32 %0, [%1];" : "=r"(bits) : "l"(p) : "memory");
  return bits;
}
__device__ inline unsigned long long load_bits(const unsigned long long* p) {
  unsigned long long bits;
  asm volatile("ld.relaxed.sys.b64 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
  return bits;
}
__device__ inline int load_atomic(const int* p) { return load_bits((const unsigned*)p); }
__device__ inline unsigned load_atomic(const unsigned* p) { return load_bits(p); }
__device__ inline float load_atomic(const float* p) {
  return __uint_as_float(load_bits((const unsigned*)p));
}
template <typename T> __device__ T load_atomic(const T* p) {
  return (T)load_bits((const unsigned long long*)p);
}
__device__ inline double load_atomic(const double* p) {
  return __longlong_as_double(load_bits((const unsigned long long*)p));
}
__device__ inline void store_bits(unsigned* p, unsigned bits) {
  asm volatile("st.relaxed.sys.b32 [%0], %1;" : : "l"(p), "r"(bits) : "memory");
}
__device__ inline void store_bits(unsigned long long* p, unsigned long long bits) {
  asm volatile("st.relaxed.sys.b64 [%0], %1;" : : "l"(p), "l"(bits) : "memory");
}
__device__ inline void store_atomic(int* p, int value) { store_bits((unsigned*)p, (unsigned)value); }
__device__ inline void store_atomic(unsigned* p, unsigned value) { store_bits(p, value); }
__device__ inline void store_atomic(float* p, float value) {
  store_bits((unsigned*)p, __float_as_uint(value));
}
template <typename T> __device__ void store_atomic(T* p, T value) {
  store_bits((unsigned long long*)p, (unsigned long long)value);
}
__device__ inline void store_atomic(double* p, double value) {
  store_bits((unsigned long long*)p, (unsigned long long)__double_as_longlong(value));
}
template <typename T> __device__ T exchange_if(T* p, T expected, T desired) {
  return atomicCAS(p, expected, desired);
}
__device__ inline float exchange_if(float* p, float expected, float desired) {
  return __int_as_float(atomicCAS((int*)p, __float_as_int(expected), __float_as_int(desired)));
}

#define QUIZ_FETCH(name, call)                                            \
  __device__ T name(T value, memory_order order = memory_order_seq_cst) { \
    order_before<S>(order);                                               \
    T old = call;                                                         \
    order_after<S>(order);                                                \
    return old;                                                           \
  }
#define QUIZ_ATOMIC(at)                                                         \
  __device__ T load(memory_order order = memory_order_seq_cst) const {          \
    if (order == memory_order_seq_cst) fence_in(S);             \
    T value = load_atomic(at);                                                  \
    order_after<S>(order);                                                      \
    return value;                                                               \
  }                                                                             \
  __device__ void store(T value, memory_order order = memory_order_seq_cst) {   \
    order_before<S>(order);                                                     \
    store_atomic(at, value);                                                    \
    if (order == memory_order_seq_cst) fence_in(S);             \
  }                                                                             \
  QUIZ_FETCH(exchange, atomicExch(at, value))                                   \
  QUIZ_FETCH(fetch_add, atomicAdd(at, value))                                   \
  QUIZ_FETCH(fetch_sub, atomicAdd(at, -value))                                  \
  QUIZ_FETCH(fetch_and, atomicAnd(at, value))                                   \
  QUIZ_FETCH(fetch_or, atomicOr(at, value))                                     \
  QUIZ_FETCH(fetch_xor, atomicXor(at, value))                                   \
  QUIZ_FETCH(fetch_min, atomicMin(at, value))                                   \
  QUIZ_FETCH(fetch_max, atomicMax(at, value))                                   \
  __device__ bool compare_exchange_strong(                                      \
      T& expected, T desired, memory_order order = memory_order_seq_cst) {      \
    order_before<S>(order);                                                     \
    T old = exchange_if(at, expected, desired);                                 \
    order_after<S>(order);                                                      \
    bool same = old == expected;                                                \
    expected = old;                                                             \
    return same;                                                                \
  }                                                                             \
  __device__ bool compare_exchange_strong(                                      \
      T& expected, T desired, memory_order good, memory_order) {                \
    return compare_exchange_strong(expected, desired, good);                    \
  }                                                                             \
  __device__ bool compare_exchange_weak(                                        \
      T& expected, T desired, memory_order order = memory_order_seq_cst) {      \
    return compare_exchange_strong(expected, desired, order);                   \
  }                                                                             \
  __device__ bool compare_exchange_weak(                                        \
      T& expected, T desired, memory_order good, memory_order) {                \
    return compare_exchange_strong(expected, desired, good);                    \
  }                                                                             \
  __device__ void wait(T old, memory_order order = memory_order_seq_cst) const { \
    while (load(order) == old) {}                                               \
  }                                                                             \
  __device__ void notify_one() {}                                               \
  __device__ void notify_all() {}                                               \
  __device__ T operator++() { return fetch_add(1) + 1; }                        \
  __device__ T operator++(int) { return fetch_add(1); }                         \
  __device__ T operator--() { return fetch_sub(1) - 1; }                        \
  __device__ T operator--(int) { return fetch_sub(1); }                         \
  __device__ T operator+=(T value) { return fetch_add(value) + value; }         \
  __device__ T operator-=(T value) { return fetch_sub(value) - value; }         \
  __device__ T operator=(T value) { store(value); return value; }               \
  __device__ operator T() const { return load(); }

template <typename T, thread_scope S = thread_scope_system> struct atomic_ref {
  T* place;
  __device__ explicit atomic_ref(T& of) : place(&of) {}
  QUIZ_ATOMIC(place)
};
template <typename T, thread_scope S = thread_scope_system> struct atomic {
  T held;
  atomic() = default;
  __device__ atomic(T value) : held(value) {}
  QUIZ_ATOMIC(((T*)&held))
};
namespace std {
typedef cuda::memory_order memory_order;
constexpr memory_order memory_order_relaxed = cuda::memory_order_relaxed;
constexpr memory_order memory_order_acquire = cuda::memory_order_acquire;
constexpr memory_order memory_order_release = cuda::memory_order_release;
constexpr memory_order memory_order_acq_rel = cuda::memory_order_acq_rel;
constexpr memory_order memory_order_seq_cst = cuda::memory_order_seq_cst;
template <typename T> using atomic = cuda::atomic<T, thread_scope_system>;
template <typename T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
}  // namespace std
}  // namespace cuda
