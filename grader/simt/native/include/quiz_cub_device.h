// CUB's functions of a whole array, which the CPU computes: nothing of them is emulated. Sums of
// floats are added in order, so their last bits may differ from a device's.
#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "cuda_runtime.h"
#include "quiz_cub.h"
#include "quiz_functors.h"

namespace quiz {
template <class It>
using Element = typename ::std::iterator_traits<It>::value_type;

// What device memory holds, on the host; it goes back by `give`.
template <class It>
struct Taken {
    ::std::unique_ptr<Element<It>[]> at;
    size_t count;
    Taken(It from, size_t n, cudaStream_t stream) : at(new Element<It>[n ? n : 1]), count(n) {
        cudaStreamSynchronize(stream);
        cudaMemcpy(at.get(), &*from, n * sizeof(Element<It>), cudaMemcpyDefault);
    }
    Element<It> *begin() const { return at.get(); }
    Element<It> *end() const { return at.get() + count; }
    Element<It> &operator[](size_t i) const { return at[i]; }
};
template <class T>
void give(T *to, const T *from, size_t n) {
    cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyDefault);
}
// Returns true if only the size of the storage is asked for.
inline bool asks_size(const char *name, void *storage, size_t &bytes) {
    if (!storage) {
        bytes = 1;
        return true;
    }
    tell_library(name);
    return false;
}
// A number's bits in the order in which a radix sort has them.
template <class T>
unsigned long long radix_of(T value, int begin, int end) {
    unsigned long long bits = 0, top = 1ull << (sizeof(T) * 8 - 1);
    memcpy(&bits, &value, sizeof(T));
    if (::std::numeric_limits<T>::is_iec559)
        bits ^= bits & top ? (top - 1) | top : top;
    else if (::std::is_signed<T>::value)
        bits ^= top;
    bits >>= begin;
    return end - begin >= 64 ? bits : bits & ((1ull << (end - begin)) - 1);
}
}  // namespace quiz

namespace cub {
template <class T>
struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

struct DeviceReduce {
    template <class In, class Out, class N, class Op, class T>
    static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, N n, Op op, T first,
                              cudaStream_t stream = 0) {
        return fold("cub::DeviceReduce", storage, bytes, in, out, (size_t)n, op, first, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, N n,
                           cudaStream_t stream = 0) {
        return Reduce(storage, bytes, in, out, n, ::cub::Sum(), quiz::Element<Out>(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, N n,
                           cudaStream_t stream = 0) {
        using T = quiz::Element<In>;
        auto larger = [](const T &a, const T &b) { return a < b ? b : a; };
        T least = ::std::numeric_limits<T>::lowest();
        return Reduce(storage, bytes, in, out, n, larger, least, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, N n,
                           cudaStream_t stream = 0) {
        using T = quiz::Element<In>;
        auto smaller = [](const T &a, const T &b) { return b < a ? b : a; };
        return Reduce(storage, bytes, in, out, n, smaller, ::std::numeric_limits<T>::max(), stream);
    }

  private:
    template <class In, class Out, class Op, class T>
    static cudaError_t fold(const char *name, void *storage, size_t &bytes, In in, Out out,
                            size_t n, Op op, T first, cudaStream_t stream) {
        if (quiz::asks_size(name, storage, bytes)) return cudaSuccess;
        quiz::Taken<In> given(in, n, stream);
        quiz::Called called(op);
        T sum = first;
        for (auto &each : given) sum = op(sum, each);
        quiz::Element<Out> result = (quiz::Element<Out>)sum;
        quiz::give(&*out, &result, 1);
        return cudaGetLastError();
    }
};

struct DeviceScan {
    template <class In, class Out, class Op, class T, class N>
    static cudaError_t ExclusiveScan(void *storage, size_t &bytes, In in, Out out, Op op, T first,
                                     N n, cudaStream_t stream = 0) {
        if (quiz::asks_size("cub::DeviceScan", storage, bytes)) return cudaSuccess;
        quiz::Taken<In> given(in, (size_t)n, stream);
        quiz::Called called(op);
        ::std::vector<quiz::Element<Out>> made((size_t)n);
        T sum = first;
        for (size_t i = 0; i < (size_t)n; ++i) {
            made[i] = (quiz::Element<Out>)sum;
            sum = op(sum, given[i]);
        }
        quiz::give(&*out, made.data(), (size_t)n);
        return cudaGetLastError();
    }
    template <class In, class Out, class Op, class N>
    static cudaError_t InclusiveScan(void *storage, size_t &bytes, In in, Out out, Op op, N n,
                                     cudaStream_t stream = 0) {
        if (quiz::asks_size("cub::DeviceScan", storage, bytes)) return cudaSuccess;
        quiz::Taken<In> given(in, (size_t)n, stream);
        quiz::Called called(op);
        ::std::vector<quiz::Element<Out>> made((size_t)n);
        for (size_t i = 0; i < (size_t)n; ++i)
            made[i] = i ? (quiz::Element<Out>)op(made[i - 1], given[i]) : given[0];
        quiz::give(&*out, made.data(), (size_t)n);
        return cudaGetLastError();
    }
    template <class In, class Out, class N>
    static cudaError_t InclusiveSum(void *storage, size_t &bytes, In in, Out out, N n,
                                    cudaStream_t stream = 0) {
        return InclusiveScan(storage, bytes, in, out, ::cub::Sum(), n, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ExclusiveSum(void *storage, size_t &bytes, In in, Out out, N n,
                                    cudaStream_t stream = 0) {
        using T = quiz::Element<In>;
        return ExclusiveScan(storage, bytes, in, out, ::cub::Sum(), T(), n, stream);
    }
};

struct DeviceRadixSort {
    template <class K, class N>
    static cudaError_t SortKeys(void *storage, size_t &bytes, const K *in, K *out, N n,
                                int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {
        return sort<K, char>(storage, bytes, in, out, 0, 0, n, begin, end, stream, false);
    }
    template <class K, class N>
    static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const K *in, K *out, N n,
                                          int begin = 0, int end = sizeof(K) * 8,
                                          cudaStream_t stream = 0) {
        return sort<K, char>(storage, bytes, in, out, 0, 0, n, begin, end, stream, true);
    }
    template <class K, class V, class N>
    static cudaError_t SortPairs(void *storage, size_t &bytes, const K *in, K *out,
                                 const V *values, V *sorted, N n, int begin = 0,
                                 int end = sizeof(K) * 8, cudaStream_t stream = 0) {
        return sort(storage, bytes, in, out, values, sorted, n, begin, end, stream, false);
    }
    template <class K, class V, class N>
    static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const K *in, K *out,
                                           const V *values, V *sorted, N n, int begin = 0,
                                           int end = sizeof(K) * 8, cudaStream_t stream = 0) {
        return sort(storage, bytes, in, out, values, sorted, n, begin, end, stream, true);
    }
    template <class K, class N>
    static cudaError_t SortKeys(void *storage, size_t &bytes, DoubleBuffer<K> &keys, N n,
                                int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {
        auto done = SortKeys(storage, bytes, keys.Current(), keys.Alternate(), n, begin, end, stream);
        keys.selector ^= storage ? 1 : 0;
        return done;
    }
    template <class K, class V, class N>
    static cudaError_t SortPairs(void *storage, size_t &bytes, DoubleBuffer<K> &keys,
                                 DoubleBuffer<V> &values, N n, int begin = 0,
                                 int end = sizeof(K) * 8, cudaStream_t stream = 0) {
        auto done = SortPairs(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                              values.Alternate(), n, begin, end, stream);
        keys.selector ^= storage ? 1 : 0;
        values.selector ^= storage ? 1 : 0;
        return done;
    }

  private:
    template <class K, class V, class N>
    static cudaError_t sort(void *storage, size_t &bytes, const K *in, K *out, const V *values,
                            V *sorted, N count, int begin, int end, cudaStream_t stream,
                            bool descending) {
        if (quiz::asks_size("cub::DeviceRadixSort", storage, bytes)) return cudaSuccess;
        size_t n = (size_t)count;
        quiz::Taken<const K *> keys(in, n, stream);
        ::std::vector<size_t> order(n);
        ::std::iota(order.begin(), order.end(), (size_t)0);
        ::std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            auto one = quiz::radix_of(keys[a], begin, end), other = quiz::radix_of(keys[b], begin, end);
            return descending ? one > other : one < other;
        });
        place(keys, order, out);
        if (values) place(quiz::Taken<const V *>(values, n, stream), order, sorted);
        return cudaGetLastError();
    }
    template <class T>
    static void place(const quiz::Taken<const T *> &given, const ::std::vector<size_t> &order,
                      T *out) {
        ::std::unique_ptr<T[]> made(new T[order.size() + 1]);
        for (size_t i = 0; i < order.size(); ++i) made[i] = given[order[i]];
        quiz::give(out, made.get(), order.size());
    }
};

struct DeviceSelect {
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void *storage, size_t &bytes, In in, Flags flags, Out out,
                               Count count, N n, cudaStream_t stream = 0) {
        if (quiz::asks_size("cub::DeviceSelect", storage, bytes)) return cudaSuccess;
        quiz::Taken<Flags> kept(flags, (size_t)n, stream);
        return keep(in, out, count, (size_t)n, stream, [&](size_t i) { return (bool)kept[i]; });
    }
    template <class In, class Out, class Count, class N, class Test>
    static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Count count, N n, Test test,
                          cudaStream_t stream = 0) {
        if (quiz::asks_size("cub::DeviceSelect", storage, bytes)) return cudaSuccess;
        quiz::Taken<In> given(in, (size_t)n, stream);
        quiz::Called called(test);
        return keep(in, out, count, (size_t)n, stream, [&](size_t i) { return test(given[i]); });
    }

  private:
    template <class In, class Out, class Count, class Test>
    static cudaError_t keep(In in, Out out, Count count, size_t n, cudaStream_t stream, Test test) {
        quiz::Taken<In> given(in, n, stream);
        ::std::vector<quiz::Element<Out>> made;
        for (size_t i = 0; i < n; ++i)
            if (test(i)) made.push_back((quiz::Element<Out>)given[i]);
        quiz::Element<Count> found = (quiz::Element<Count>)made.size();
        quiz::give(&*out, made.data(), made.size());
        quiz::give(&*count, &found, 1);
        return cudaGetLastError();
    }
};
}  // namespace cub
