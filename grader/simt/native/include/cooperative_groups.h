// The names that host code takes from cooperative groups; kernels that use them are read apart.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {
struct thread_group;
struct thread_block;
struct grid_group;
struct cluster_group;
struct coalesced_group;
template <unsigned Size, typename Parent = void>
class thread_block_tile;
}  // namespace cooperative_groups
