// Copies of cooperative groups: each is a group of `cp.async` of its threads.
namespace cooperative_groups {
template <typename Group, typename T, typename Size>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes) {
  cuda::copy_spread(to, from, (size_t)bytes, group.thread_rank(), group.size());
  asm volatile("cp.async.commit_group;" : : : "memory");
}
template <int N, typename Group> __device__ void wait_prior(const Group& group) {
  asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
  group.sync();
}
template <typename Group> __device__ void wait(const Group& group) {
  wait_prior<0>(group);
}
}  // namespace cooperative_groups
