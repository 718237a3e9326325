// Semaphores of libcu++: a count that nobody takes below zero.
namespace cuda {
template <thread_scope S, ptrdiff_t Most = 2147483647> struct counting_semaphore {
  atomic<int, S> count;
  counting_semaphore() = default;
  __device__ constexpr explicit counting_semaphore(ptrdiff_t first) : count((int)first) {}
  __device__ void release(ptrdiff_t more = 1) { count.fetch_add((int)more, memory_order_release); }
  __device__ bool try_acquire() {
    int seen = count.load(memory_order_relaxed);
    while (seen > 0) {
      if (count.compare_exchange_strong(seen, seen - 1, memory_order_acquire)) return true;
    }
    return false;
  }
  __device__ void acquire() { while (!try_acquire()) {} }
  __device__ static constexpr ptrdiff_t max() { return Most; }
};
template <thread_scope S> using binary_semaphore = counting_semaphore<S, 1>;
}  // namespace cuda
