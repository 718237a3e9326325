// The names of CUB that host code may have at file scope, such as in `using`: its kernels are
// compiled apart. The storage of a primitive has no size of use here.
#pragma once

#include "quiz_libcudacxx.h"

namespace cub {
struct Sum {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a + b;
    }
};
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;
template <class K, class V>
struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    KeyValuePair(K k, V v) : key(k), value(v) {}
};
struct ArgMax;
struct ArgMin;
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
struct NullType {};

template <class T, int = 32, int = 0>
struct WarpReduce {
    struct TempStorage {};
};
template <class T, int = 32, int = 0>
struct WarpScan {
    struct TempStorage {};
};
template <class T, int, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int = 1, int = 1,
          int = 0>
struct BlockReduce {
    struct TempStorage {};
};
template <class T, int, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int = 1, int = 1, int = 0>
struct BlockScan {
    struct TempStorage {};
};
template <class T, int, int, BlockLoadAlgorithm = BLOCK_LOAD_DIRECT, int = 1, int = 1, int = 0>
struct BlockLoad {
    struct TempStorage {};
};
template <class T, int, int, BlockStoreAlgorithm = BLOCK_STORE_DIRECT, int = 1, int = 1, int = 0>
struct BlockStore {
    struct TempStorage {};
};
template <class K, int, int, class V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int = 1, int = 1, int = 0>
struct BlockRadixSort {
    struct TempStorage {};
};
}  // namespace cub

namespace thrust {
using ::std::bit_and;
using ::std::bit_or;
using ::std::bit_xor;
using ::std::minus;
using ::std::multiplies;
using ::std::plus;
using ::cuda::maximum;
using ::cuda::minimum;
}  // namespace thrust
