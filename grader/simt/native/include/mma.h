// The namespaces of WMMA; kernels that use it are refused.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {
}
}  // namespace nvcuda
