// What a group of a cluster's threads does, over inline PTX.
namespace quiz_cluster {
__device__ inline void barrier_arrive() { asm volatile("barrier.cluster.arrive.aligned;" : : : "memory"); }
__device__ inline void barrier_wait() {
  unsigned done = 0;
  while (!done) {
    asm volatile("{ .reg .pred p; mbarrier.cluster_wait.b64 p, 0, 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done) : : "memory");
  }
}
__device__ inline void sync() {
  barrier_arrive();
  barrier_wait();
}
__device__ inline unsigned block_rank() {
  unsigned n;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(n));
  return n;
}
__device__ inline unsigned num_blocks() {
  unsigned n;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
  return n;
}
__device__ inline dim3 block_index() {
  dim3 at;
  asm("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_ctaid.y; mov.u32 %2, %%cluster_ctaid.z;"
      : "=r"(at.x), "=r"(at.y), "=r"(at.z));
  return at;
}
__device__ inline dim3 dim_blocks() {
  dim3 n;
  asm("mov.u32 %0, %%cluster_nctaid.x; mov.u32 %1, %%cluster_nctaid.y; mov.u32 %2, %%cluster_nctaid.z;"
      : "=r"(n.x), "=r"(n.y), "=r"(n.z));
  return n;
}
__device__ inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned num_threads() { return num_blocks() * threads_of_block(); }
__device__ inline unsigned size() { return num_threads(); }
__device__ inline unsigned thread_rank() {
  unsigned row = threadIdx.y + threadIdx.z * blockDim.y;
  return block_rank() * threads_of_block() + threadIdx.x + row * blockDim.x;
}
template <typename T> __device__ T* map_shared_rank(T* p, int rank) {
  unsigned long long there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
  return (T*)there;
}
}  // namespace quiz_cluster
