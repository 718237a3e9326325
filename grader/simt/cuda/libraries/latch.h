// Latches of libcu++: a barrier of which only the first phase is used.
namespace cuda {
template <thread_scope S = thread_scope_system> struct latch {
  barrier<S> gate;
  latch() = default;
  __device__ void count_down(ptrdiff_t count = 1) { gate.arrive(count); }
  __device__ bool try_wait() { return gate.try_wait_parity(false); }
  __device__ void wait() { gate.wait_parity(false); }
  __device__ void arrive_and_wait(ptrdiff_t count = 1) {
    count_down(count);
    wait();
  }
  __device__ static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
};
template <thread_scope S> __device__ void init(latch<S>* of, ptrdiff_t count) {
  start_barrier(&of->gate.state, (unsigned)count);
}
}  // namespace cuda
