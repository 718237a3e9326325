// Compiled by NVRTC 13.5 for compute capability 9.0; variables that no kernel reads are left out.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void turn(unsigned* a, unsigned* out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    a[grid.thread_rank()] = grid.thread_rank() + round;
    grid.sync();
    out[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
    grid.sync();
  }
}

extern "C" __global__ void turn_too_early(unsigned* a, unsigned* out) {
  cg::grid_group grid = cg::this_grid();
  a[grid.thread_rank()] = grid.thread_rank();
  if (!grid.is_valid()) grid.sync();
  out[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

extern "C" __global__ void turn_without_one(unsigned* a, unsigned* out) {
  cg::grid_group grid = cg::this_grid();
  a[grid.thread_rank()] = grid.thread_rank();
  if (blockIdx.x > 0) grid.sync();
  out[grid.thread_rank()] = grid.size();
}
