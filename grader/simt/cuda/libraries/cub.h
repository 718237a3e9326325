// Warp and block primitives with the names of CUB, over cooperative groups and shared memory.
// Not CUB: the steps are those of its warp-shuffle algorithms, whichever algorithm is asked for.
namespace cub {

struct Sum {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return a + b; }
};
struct Max {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
  template <typename T> __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <typename K, typename V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  __device__ KeyValuePair() {}
  __device__ KeyValuePair(K k, V v) : key(k), value(v) {}
};
struct ArgMax {
  template <typename K, typename V>
  __device__ KeyValuePair<K, V> operator()(
      const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return (b.value > a.value) || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <typename K, typename V>
  __device__ KeyValuePair<K, V> operator()(
      const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return (b.value < a.value) || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

__device__ inline int own_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

template <int W, typename T, typename Op>
__device__ T reduce_in_warp(T value, int lane, int last, Op op) {
  auto tile = cooperative_groups::tiled_partition<W>(cooperative_groups::this_thread_block());
  for (int step = 1; step < W; step *= 2) {
    T other = tile.shfl_down(value, step);
    if (lane + step <= last) value = op(value, other);
  }
  return value;
}

template <int W, typename T, typename Op>
__device__ T scan_in_warp(T value, int lane, Op op) {
  auto tile = cooperative_groups::tiled_partition<W>(cooperative_groups::this_thread_block());
  for (int step = 1; step < W; step *= 2) {
    T other = tile.shfl_up(value, step);
    if (lane >= step) value = op(other, value);
  }
  return value;
}

template <typename T, int N, typename Op>
__device__ T reduce_in_thread(T (&items)[N], Op op) {
  T total = items[0];
  for (int i = 1; i < N; ++i) total = op(total, items[i]);
  return total;
}

template <typename T, int W = 32, int ARCH = 0> class WarpReduce {
  static_assert(W >= 1 && W <= 32 && (W & (W - 1)) == 0, "a power of two");
  int lane;

 public:
  struct TempStorage { int unused; };
  __device__ WarpReduce(TempStorage& storage) : lane(own_rank() % W) {}
  __device__ T Sum(T value) { return reduce_in_warp<W>(value, lane, W - 1, cub::Sum()); }
  __device__ T Sum(T value, int valid) {
    return reduce_in_warp<W>(value, lane, valid - 1, cub::Sum());
  }
  template <typename Op> __device__ T Reduce(T value, Op op) {
    return reduce_in_warp<W>(value, lane, W - 1, op);
  }
  template <typename Op> __device__ T Reduce(T value, Op op, int valid) {
    return reduce_in_warp<W>(value, lane, valid - 1, op);
  }
};

template <typename T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int ARCH = 0>
class BlockReduce {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int WARPS = (THREADS + 31) / 32;

 public:
  struct TempStorage { T of_warps[(X * Y * Z + 31) / 32]; };

 private:
  T* of_warps;
  int rank;

 public:
  __device__ BlockReduce(TempStorage& storage) : of_warps(storage.of_warps), rank(own_rank()) {}
  template <typename Op> __device__ T Reduce(T value, Op op, int valid) {
    int warp = rank / 32, lane = rank % 32;
    int last = valid - warp * 32 < 32 ? valid - warp * 32 - 1 : 31;
    T total = reduce_in_warp<32>(value, lane, last, op);
    if (lane == 0) of_warps[warp] = total;
    __syncthreads();
    if (rank == 0) {
      for (int other = 1; other < WARPS; ++other)
        if (other * 32 < valid) total = op(total, of_warps[other]);
    }
    return total;
  }
  template <typename Op> __device__ T Reduce(T value, Op op) { return Reduce(value, op, THREADS); }
  template <int N, typename Op> __device__ T Reduce(T (&items)[N], Op op) {
    return Reduce(reduce_in_thread(items, op), op, THREADS);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum(), THREADS); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int N> __device__ T Sum(T (&items)[N]) {
    return Reduce(reduce_in_thread(items, cub::Sum()), cub::Sum(), THREADS);
  }
};

template <typename T, int W = 32, int ARCH = 0> class WarpScan {
  static_assert(W >= 1 && W <= 32 && (W & (W - 1)) == 0, "a power of two");
  int lane;

  __device__ static T from(T value, int source) {
    auto block = cooperative_groups::this_thread_block();
    return cooperative_groups::tiled_partition<W>(block).shfl(value, source);
  }
  __device__ static T before(T value) {
    auto block = cooperative_groups::this_thread_block();
    return cooperative_groups::tiled_partition<W>(block).shfl_up(value, 1);
  }

 public:
  struct TempStorage { int unused; };
  __device__ WarpScan(TempStorage& storage) : lane(own_rank() % W) {}
  template <typename Op> __device__ void InclusiveScan(T value, T& out, Op op) {
    out = scan_in_warp<W>(value, lane, op);
  }
  template <typename Op> __device__ void InclusiveScan(T value, T& out, Op op, T& aggregate) {
    T scanned = scan_in_warp<W>(value, lane, op);
    aggregate = from(scanned, W - 1);
    out = scanned;
  }
  template <typename Op> __device__ void ExclusiveScan(T value, T& out, Op op) {
    out = before(scan_in_warp<W>(value, lane, op));
  }
  template <typename Op> __device__ void ExclusiveScan(T value, T& out, T initial, Op op) {
    T below = before(scan_in_warp<W>(value, lane, op));
    out = lane == 0 ? initial : op(initial, below);
  }
  template <typename Op>
  __device__ void ExclusiveScan(T value, T& out, T initial, Op op, T& aggregate) {
    T scanned = scan_in_warp<W>(value, lane, op);
    aggregate = from(scanned, W - 1);
    T below = before(scanned);
    out = lane == 0 ? initial : op(initial, below);
  }
  __device__ void InclusiveSum(T value, T& out) { InclusiveScan(value, out, cub::Sum()); }
  __device__ void InclusiveSum(T value, T& out, T& aggregate) {
    InclusiveScan(value, out, cub::Sum(), aggregate);
  }
  __device__ void ExclusiveSum(T value, T& out) { ExclusiveScan(value, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& out, T& aggregate) {
    ExclusiveScan(value, out, T(), cub::Sum(), aggregate);
  }
  __device__ T Broadcast(T value, unsigned source) { return from(value, source); }
};

template <typename T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockScan {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int WARPS = (THREADS + 31) / 32;

 public:
  struct TempStorage { T of_warps[(X * Y * Z + 31) / 32]; T of_block; };

 private:
  T* of_warps;
  T* of_block;
  int rank, warp, lane;

  __device__ static T below(T value) {
    auto block = cooperative_groups::this_thread_block();
    return cooperative_groups::tiled_partition<32>(block).shfl_up(value, 1);
  }
  template <typename Op> __device__ T before_warp(T scanned, Op op, T& aggregate) {
    if (lane == 31 || rank == THREADS - 1) of_warps[warp] = scanned;
    __syncthreads();
    T total = of_warps[0];
    T prefix = total;
    for (int other = 1; other < WARPS; ++other) {
      if (warp == other) prefix = total;
      total = op(total, of_warps[other]);
    }
    aggregate = total;
    return prefix;
  }
  template <typename Prefix> __device__ T of_prefix(T aggregate, Prefix& prefix) {
    if (warp == 0) {
      T own = prefix(aggregate);
      if (lane == 0) *of_block = own;
    }
    __syncthreads();
    return *of_block;
  }

 public:
  __device__ BlockScan(TempStorage& storage)
      : of_warps(storage.of_warps), of_block(&storage.of_block), rank(own_rank()),
        warp(own_rank() / 32), lane(own_rank() % 32) {}

  template <typename Op> __device__ void InclusiveScan(T value, T& out, Op op, T& aggregate) {
    T scanned = scan_in_warp<32>(value, lane, op);
    T prefix = before_warp(scanned, op, aggregate);
    out = warp == 0 ? scanned : op(prefix, scanned);
  }
  template <typename Op> __device__ void InclusiveScan(T value, T& out, Op op) {
    T aggregate;
    InclusiveScan(value, out, op, aggregate);
  }
  template <typename Op, typename Prefix>
  __device__ void InclusiveScan(T value, T& out, Op op, Prefix& prefix) {
    T aggregate, scanned;
    InclusiveScan(value, scanned, op, aggregate);
    out = op(of_prefix(aggregate, prefix), scanned);
  }
  template <typename Op> __device__ void ExclusiveScan(T value, T& out, Op op, T& aggregate) {
    T scanned = scan_in_warp<32>(value, lane, op);
    T inside = below(scanned);
    T prefix = before_warp(scanned, op, aggregate);
    if (warp == 0) out = inside;
    else out = lane == 0 ? prefix : op(prefix, inside);
  }
  template <typename Op> __device__ void ExclusiveScan(T value, T& out, Op op) {
    T aggregate;
    ExclusiveScan(value, out, op, aggregate);
  }
  template <typename Op>
  __device__ void ExclusiveScan(T value, T& out, T initial, Op op, T& aggregate) {
    T scanned = scan_in_warp<32>(value, lane, op);
    T inside = below(scanned);
    T prefix = before_warp(scanned, op, aggregate);
    prefix = warp == 0 ? initial : op(initial, prefix);
    out = lane == 0 ? prefix : op(prefix, inside);
  }
  template <typename Op> __device__ void ExclusiveScan(T value, T& out, T initial, Op op) {
    T aggregate;
    ExclusiveScan(value, out, initial, op, aggregate);
  }
  template <typename Op, typename Prefix>
  __device__ void ExclusiveScanAfter(T value, T& out, Op op, Prefix& prefix) {
    T aggregate, scanned;
    ExclusiveScan(value, scanned, op, aggregate);
    T own = of_prefix(aggregate, prefix);
    out = rank == 0 ? own : op(own, scanned);
  }
  __device__ void InclusiveSum(T value, T& out) { InclusiveScan(value, out, cub::Sum()); }
  __device__ void InclusiveSum(T value, T& out, T& aggregate) {
    InclusiveScan(value, out, cub::Sum(), aggregate);
  }
  template <typename Prefix> __device__ void InclusiveSum(T value, T& out, Prefix& prefix) {
    InclusiveScan(value, out, cub::Sum(), prefix);
  }
  __device__ void ExclusiveSum(T value, T& out) { ExclusiveScan(value, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T value, T& out, T& aggregate) {
    ExclusiveScan(value, out, T(), cub::Sum(), aggregate);
  }
  template <typename Prefix> __device__ void ExclusiveSum(T value, T& out, Prefix& prefix) {
    ExclusiveScanAfter(value, out, cub::Sum(), prefix);
  }

  // Of several items by thread: the scan of their totals goes before each thread's own.

 private:
  template <int N, typename Op>
  __device__ void inclusive(T (&items)[N], T (&out)[N], Op op, T before, bool first) {
    T total = first ? items[0] : op(before, items[0]);
    out[0] = total;
    for (int i = 1; i < N; ++i) {
      total = op(total, items[i]);
      out[i] = total;
    }
  }
  template <int N, typename Op>
  __device__ void exclusive(T (&items)[N], T (&out)[N], Op op, T before) {
    for (int i = 0; i < N; ++i) {
      T next = op(before, items[i]);
      out[i] = before;
      before = next;
    }
  }

 public:
  template <int N, typename Op>
  __device__ void InclusiveScan(T (&items)[N], T (&out)[N], Op op, T& aggregate) {
    T before;
    ExclusiveScan(reduce_in_thread(items, op), before, op, aggregate);
    inclusive(items, out, op, before, rank == 0);
  }
  template <int N, typename Op> __device__ void InclusiveScan(T (&items)[N], T (&out)[N], Op op) {
    T aggregate;
    InclusiveScan(items, out, op, aggregate);
  }
  template <int N, typename Op, typename Prefix>
  __device__ void InclusiveScan(T (&items)[N], T (&out)[N], Op op, Prefix& prefix) {
    T before;
    ExclusiveScanAfter(reduce_in_thread(items, op), before, op, prefix);
    inclusive(items, out, op, before, false);
  }
  template <int N, typename Op>
  __device__ void ExclusiveScan(T (&items)[N], T (&out)[N], T initial, Op op, T& aggregate) {
    T before;
    ExclusiveScan(reduce_in_thread(items, op), before, initial, op, aggregate);
    exclusive(items, out, op, before);
  }
  template <int N, typename Op>
  __device__ void ExclusiveScan(T (&items)[N], T (&out)[N], T initial, Op op) {
    T aggregate;
    ExclusiveScan(items, out, initial, op, aggregate);
  }
  template <int N> __device__ void InclusiveSum(T (&items)[N], T (&out)[N]) {
    InclusiveScan(items, out, cub::Sum());
  }
  template <int N> __device__ void InclusiveSum(T (&items)[N], T (&out)[N], T& aggregate) {
    InclusiveScan(items, out, cub::Sum(), aggregate);
  }
  template <int N> __device__ void ExclusiveSum(T (&items)[N], T (&out)[N]) {
    ExclusiveScan(items, out, T(), cub::Sum());
  }
  template <int N> __device__ void ExclusiveSum(T (&items)[N], T (&out)[N], T& aggregate) {
    ExclusiveScan(items, out, T(), cub::Sum(), aggregate);
  }
};

template <typename T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockLoad {
  static constexpr int THREADS = X * Y * Z;

 public:
  struct TempStorage { T items[A >= BLOCK_LOAD_TRANSPOSE ? X * Y * Z * N : 1]; };

 private:
  T* shared;
  int rank;

 public:
  __device__ BlockLoad(TempStorage& storage) : shared(storage.items), rank(own_rank()) {}
  template <typename From> __device__ void Load(From from, T (&items)[N]) {
    Load(from, items, THREADS * N);
  }
  template <typename From, typename Default>
  __device__ void Load(From from, T (&items)[N], int valid, Default missing) {
    for (int i = 0; i < N; ++i) items[i] = missing;
    Load(from, items, valid);
  }
  template <typename From> __device__ void Load(From from, T (&items)[N], int valid) {
    if constexpr (A == BLOCK_LOAD_DIRECT || A == BLOCK_LOAD_VECTORIZE) {
      for (int i = 0; i < N; ++i)
        if (rank * N + i < valid) items[i] = from[rank * N + i];
    } else if constexpr (A == BLOCK_LOAD_STRIPED) {
      for (int i = 0; i < N; ++i)
        if (i * THREADS + rank < valid) items[i] = from[i * THREADS + rank];
    } else {
      for (int i = 0; i < N; ++i)
        if (i * THREADS + rank < valid) shared[i * THREADS + rank] = from[i * THREADS + rank];
      __syncthreads();
      for (int i = 0; i < N; ++i)
        if (rank * N + i < valid) items[i] = shared[rank * N + i];
    }
  }
};

template <typename T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int ARCH = 0>
class BlockStore {
  static constexpr int THREADS = X * Y * Z;

 public:
  struct TempStorage { T items[A >= BLOCK_STORE_TRANSPOSE ? X * Y * Z * N : 1]; };

 private:
  T* shared;
  int rank;

 public:
  __device__ BlockStore(TempStorage& storage) : shared(storage.items), rank(own_rank()) {}
  template <typename To> __device__ void Store(To to, T (&items)[N]) {
    Store(to, items, THREADS * N);
  }
  template <typename To> __device__ void Store(To to, T (&items)[N], int valid) {
    if constexpr (A == BLOCK_STORE_DIRECT || A == BLOCK_STORE_VECTORIZE) {
      for (int i = 0; i < N; ++i)
        if (rank * N + i < valid) to[rank * N + i] = items[i];
    } else if constexpr (A == BLOCK_STORE_STRIPED) {
      for (int i = 0; i < N; ++i)
        if (i * THREADS + rank < valid) to[i * THREADS + rank] = items[i];
    } else {
      for (int i = 0; i < N; ++i) shared[rank * N + i] = items[i];
      __syncthreads();
      for (int i = 0; i < N; ++i)
        if (i * THREADS + rank < valid) to[i * THREADS + rank] = shared[i * THREADS + rank];
    }
  }
};

struct NullType {};

__device__ inline unsigned sortable(unsigned key) { return key; }
__device__ inline unsigned sortable(int key) { return (unsigned)key ^ 0x80000000u; }
__device__ inline unsigned sortable(unsigned char key) { return key; }
__device__ inline unsigned sortable(unsigned short key) { return key; }
__device__ inline unsigned long long sortable(unsigned long long key) { return key; }
__device__ inline unsigned long long sortable(long long key) {
  return (unsigned long long)key ^ 0x8000000000000000ull;
}
__device__ inline unsigned sortable(float key) {
  unsigned bits = key == 0.0f ? 0u : __float_as_uint(key);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__device__ inline unsigned long long sortable(double key) {
  unsigned long long bits = key == 0.0 ? 0ull : (unsigned long long)__double_as_longlong(key);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}

template <typename K, int X, int N, typename V = NullType, int BITS = 4, bool MEMOIZE = true,
          BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS, int CONFIG = 0, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockRadixSort {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int DIGITS = 16;
  typedef cub::BlockScan<int, X, A, Y, Z> Scan;

 public:
  struct Ranks {
    typename BlockScan<int, X, A, Y, Z>::TempStorage scan;
    int counts[16 * X * Y * Z];
  };
  union TempStorage {
    Ranks ranks;
    K keys[X * Y * Z * N];
    V values[X * Y * Z * N];
  };

 private:
  TempStorage* storage;
  int rank;

  // One pass: where each item goes, so that those of equal digits keep their order.
  __device__ void find_places(K (&keys)[N], int (&places)[N], int shift, int width, bool down) {
    int* counts = storage->ranks.counts;
    int digits[N];
    for (int digit = 0; digit < DIGITS; ++digit) counts[digit * THREADS + rank] = 0;
    for (int i = 0; i < N; ++i) {
      auto bits = down ? ~sortable(keys[i]) : sortable(keys[i]);
      int digit = (int)(bits >> shift) & ((1 << width) - 1);
      digits[i] = digit;
      places[i] = counts[digit * THREADS + rank]++;
    }
    __syncthreads();
    int own[DIGITS];
    for (int i = 0; i < DIGITS; ++i) own[i] = counts[rank * DIGITS + i];
    Scan(storage->ranks.scan).ExclusiveSum(own, own);
    for (int i = 0; i < DIGITS; ++i) counts[rank * DIGITS + i] = own[i];
    __syncthreads();
    for (int i = 0; i < N; ++i) places[i] += counts[digits[i] * THREADS + rank];
  }
  template <typename T> __device__ void exchange(T* shared, T (&items)[N], int (&places)[N]) {
    __syncthreads();
    for (int i = 0; i < N; ++i) shared[places[i]] = items[i];
    __syncthreads();
    for (int i = 0; i < N; ++i) items[i] = shared[rank * N + i];
  }
  __device__ void sort(K (&keys)[N], int begin, int end, bool down) {
    int places[N];
    for (int shift = begin; shift < end; shift += 4) {
      if (shift > begin) __syncthreads();
      find_places(keys, places, shift, end - shift < 4 ? end - shift : 4, down);
      exchange(storage->keys, keys, places);
    }
  }
  __device__ void sort(K (&keys)[N], V (&values)[N], int begin, int end, bool down) {
    int places[N];
    for (int shift = begin; shift < end; shift += 4) {
      if (shift > begin) __syncthreads();
      find_places(keys, places, shift, end - shift < 4 ? end - shift : 4, down);
      exchange(storage->keys, keys, places);
      exchange(storage->values, values, places);
    }
  }

 public:
  __device__ BlockRadixSort(TempStorage& given) : storage(&given), rank(own_rank()) {}
  __device__ void Sort(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) {
    sort(keys, begin, end, false);
  }
  __device__ void Sort(K (&keys)[N], V (&values)[N], int begin = 0, int end = sizeof(K) * 8) {
    sort(keys, values, begin, end, false);
  }
  __device__ void SortDescending(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) {
    sort(keys, begin, end, true);
  }
  __device__ void SortDescending(
      K (&keys)[N], V (&values)[N], int begin = 0, int end = sizeof(K) * 8) {
    sort(keys, values, begin, end, true);
  }
};

}  // namespace cub
