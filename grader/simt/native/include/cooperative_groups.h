// The names that host code takes from cooperative groups; kernels that use them are refused.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {
struct thread_block;
struct grid_group;
}  // namespace cooperative_groups
