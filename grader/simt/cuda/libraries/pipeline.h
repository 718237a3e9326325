// Pipelines of libcu++: of a thread, groups of `cp.async`; of a block, two barriers for each stage.
namespace cuda {
enum pipeline_role { producer, consumer };

template <thread_scope S, int N> struct pipeline_shared_state {
  unsigned long long full[N];
  unsigned long long empty[N];
  unsigned producers;
};

template <thread_scope S> struct pipeline {
  unsigned long long* full;
  unsigned long long* empty;
  int stages;
  int produced;
  int consumed;
  __device__ void producer_acquire() {
    while (!passed_parity(&empty[produced % stages], (produced / stages & 1) ^ 1)) {}
  }
  __device__ void producer_commit() {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
        : : "r"(shared_address(&full[produced % stages])) : "memory");
    ++produced;
  }
  __device__ void consumer_wait() {
    while (!passed_parity(&full[consumed % stages], consumed / stages & 1)) {}
  }
  __device__ void consumer_release() {
    arrive_once(&empty[consumed % stages]);
    ++consumed;
  }
  __device__ bool quit() { return true; }
};

template <int N> __device__ void wait_for_older() {
  asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}
template <> struct pipeline<thread_scope_thread> {
  int produced;
  int consumed;
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {
    asm volatile("cp.async.commit_group;" : : : "memory");
    ++produced;
  }
  __device__ void consumer_wait() {
    if (produced == consumed) return;
    switch (produced - consumed - 1) {
      case 0: wait_for_older<0>(); break;
      case 1: wait_for_older<1>(); break;
      case 2: wait_for_older<2>(); break;
      case 3: wait_for_older<3>(); break;
      case 4: wait_for_older<4>(); break;
      case 5: wait_for_older<5>(); break;
      case 6: wait_for_older<6>(); break;
      default: wait_for_older<7>();
    }
    ++consumed;
  }
  __device__ void consumer_release() {}
  __device__ bool quit() { return true; }
};

__device__ inline pipeline<thread_scope_thread> make_pipeline() {
  pipeline<thread_scope_thread> made;
  made.produced = made.consumed = 0;
  return made;
}
template <typename Group, thread_scope S, int N> __device__ pipeline<S> start_pipeline(
    const Group& group, pipeline_shared_state<S, N>* state, unsigned producers, unsigned consumers) {
  if (group.thread_rank() == 0) {
    for (int i = 0; i < N; ++i) {
      start_barrier(&state->full[i], producers);
      start_barrier(&state->empty[i], consumers);
    }
  }
  group.sync();
  pipeline<S> made;
  made.full = state->full;
  made.empty = state->empty;
  made.stages = N;
  made.produced = made.consumed = 0;
  return made;
}
template <typename Group, thread_scope S, int N>
__device__ pipeline<S> make_pipeline(const Group& group, pipeline_shared_state<S, N>* state) {
  return start_pipeline(group, state, group.size(), group.size());
}
template <typename Group, thread_scope S, int N> __device__ pipeline<S> make_pipeline(
    const Group& group, pipeline_shared_state<S, N>* state, size_t producers) {
  return start_pipeline(group, state, producers, group.size() - producers);
}
template <typename Group, thread_scope S, int N> __device__ pipeline<S> make_pipeline(
    const Group& group, pipeline_shared_state<S, N>* state, pipeline_role role) {
  if (group.thread_rank() == 0) state->producers = 0;
  group.sync();
  if (role == producer) atomicAdd(&state->producers, 1u);
  group.sync();
  unsigned producers = state->producers;
  return start_pipeline(group, state, producers, group.size() - producers);
}

template <int N> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& of) {
  wait_for_older<N>();
  of.consumed = of.produced - N;
}
template <thread_scope P, thread_scope S>
__device__ void pipeline_producer_commit(pipeline<P>& of, barrier<S>& at) {
  arrive_with_copies(at);
}
template <typename Group, typename T, typename Size, thread_scope S>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes, pipeline<S>& of) {
  copy_spread(to, from, (size_t)bytes, group.thread_rank(), group.size());
}
template <typename T, typename Size, thread_scope S>
__device__ void memcpy_async(T* to, const T* from, Size bytes, pipeline<S>& of) {
  copy_spread(to, from, (size_t)bytes, 0, 1);
}
}  // namespace cuda
