// The namespaces of WMMA; kernels that use it are refused.
#pragma once

#include "cuda_runtime.h"

namespace nvcuda {
namespace wmma {
}
}  // namespace nvcuda
