// Barriers of libcu++ and copies that arrive at them, over inline PTX.
namespace cuda {
template <size_t Align> struct aligned_size_t {
  static constexpr size_t align = Align;
  size_t value;
  __device__ explicit aligned_size_t(size_t size) : value(size) {}
  __device__ operator size_t() const { return value; }
};

__device__ inline unsigned shared_address(const void* p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ inline void start_barrier(unsigned long long* at, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(shared_address(at)), "r"(count) : "memory");
}
__device__ inline unsigned long long arrive_once(unsigned long long* at) {
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(at)) : "memory");
  return state;
}
__device__ inline bool passed(unsigned long long* at, unsigned long long state) {
  unsigned done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done) : "r"(shared_address(at)), "l"(state) : "memory");
  return done != 0;
}
__device__ inline bool passed_parity(unsigned long long* at, unsigned parity) {
  unsigned done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done) : "r"(shared_address(at)), "r"(parity) : "memory");
  return done != 0;
}

template <thread_scope S> struct barrier {
  typedef unsigned long long arrival_token;
  unsigned long long state;
  barrier() = default;
  __device__ arrival_token arrive(ptrdiff_t count = 1) {
    arrival_token token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
        : "=l"(token) : "r"(shared_address(&state)), "r"((unsigned)count) : "memory");
    return token;
  }
  __device__ void wait(arrival_token&& token) { while (!passed(&state, token)) {} }
  __device__ void wait_parity(bool parity) { while (!passed_parity(&state, parity)) {} }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }"
        : : "r"(shared_address(&state)) : "memory");
  }
  __device__ static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
};
template <thread_scope S> __device__ void init(barrier<S>* of, ptrdiff_t count) {
  start_barrier(&of->state, (unsigned)count);
}

namespace device {
template <thread_scope S> __device__ unsigned long long* barrier_native_handle(barrier<S>& of) {
  return &of.state;
}
template <thread_scope S> __device__ void barrier_expect_tx(barrier<S>& of, ptrdiff_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
      : : "r"(shared_address(&of.state)), "r"((unsigned)bytes) : "memory");
}
template <thread_scope S>
__device__ unsigned long long barrier_arrive_tx(barrier<S>& of, ptrdiff_t count, ptrdiff_t bytes) {
  barrier_expect_tx(of, bytes);
  return of.arrive(count);
}
template <typename T, typename Size, thread_scope S>
__device__ void memcpy_async_tx(T* to, const T* from, Size bytes, barrier<S>& of) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      : : "r"(shared_address(to)), "l"(from), "r"((unsigned)(size_t)bytes),
          "r"(shared_address(&of.state)) : "memory");
}
}  // namespace device

// Copies as wide as the addresses and the size allow, spread over the threads of a group.
template <int W> __device__ void copy_chunks(
    char* to, const char* from, size_t bytes, unsigned rank, unsigned threads) {
  for (size_t at = (size_t)rank * W; at < bytes; at += (size_t)threads * W) {
    if (W == 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
          : : "r"(shared_address(to + at)), "l"(from + at) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
          : : "r"(shared_address(to + at)), "l"(from + at), "n"(W) : "memory");
    }
  }
}
template <typename T> __device__ void copy_elements(
    T* to, const T* from, size_t bytes, unsigned rank, unsigned threads) {
  for (size_t at = rank; at < bytes / sizeof(T); at += threads) to[at] = from[at];
}
template <typename T> __device__ void copy_spread(
    T* to, const T* from, size_t bytes, unsigned rank, unsigned threads) {
  size_t all = (size_t)to | (size_t)from | bytes;
  if (!__isShared(to) || !__isGlobal(from) || all % 4 != 0) {
    copy_elements(to, from, bytes, rank, threads);
  } else if (all % 16 == 0) {
    copy_chunks<16>((char*)to, (const char*)from, bytes, rank, threads);
  } else if (all % 8 == 0) {
    copy_chunks<8>((char*)to, (const char*)from, bytes, rank, threads);
  } else {
    copy_chunks<4>((char*)to, (const char*)from, bytes, rank, threads);
  }
}

template <thread_scope S> __device__ void arrive_with_copies(barrier<S>& of) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(shared_address(&of.state)) : "memory");
}
template <typename Group, typename T, typename Size, thread_scope S>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes, barrier<S>& of) {
  copy_spread(to, from, (size_t)bytes, group.thread_rank(), group.size());
  arrive_with_copies(of);
}
template <typename T, typename Size, thread_scope S>
__device__ void memcpy_async(T* to, const T* from, Size bytes, barrier<S>& of) {
  copy_spread(to, from, (size_t)bytes, 0, 1);
  arrive_with_copies(of);
}
}  // namespace cuda
