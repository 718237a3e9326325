"""Values of the standard library, views, packs of indices, and loops over what has iterators."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

_BEFORE = """
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <cuda/std/array>
#include <cuda/std/iterator>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <thrust/pair.h>
__device__ SPACE::optional<int> find(const int* p, int n, int wanted) {
  for (int i = 0; i < n; ++i) if (p[i] == wanted) return i;
  return SPACE::nullopt;
}
__device__ SPACE::pair<int, int> larger(int a, int b) {
  if (a > b) return {a, 0};
  return SPACE::make_pair(b, 1);
}
struct Span {
  const int* p;
  int n;
  __device__ const int* begin() const { return p; }
  __device__ const int* end() const { return p + n; }
};
__device__ Span part(const int* p, int n) { return {p + 1, n}; }
struct Square {
  int at;
  __device__ int operator*() const { return at * at; }
  __device__ Square& operator++() { ++at; return *this; }
  __device__ bool operator!=(const Square& other) const { return at != other.at; }
};
template <typename T, T... I>
__device__ int digits(SPACE::integer_sequence<T, I...>) {
  int n = 0;
  ((n = n * 10 + int(I)), ...);
  return n;
}
template <typename... T, size_t... I>
__device__ double weigh(SPACE::index_sequence<I...>, const T&... v) {
  return ((double(v) * I) + ... + 0);
}
template <typename... T> __device__ double weighed(const T&... v) {
  return weigh(SPACE::index_sequence_for<T...>{}, v...);
}
__device__ int sum(SPACE::span<const int> v) {
  int s = 0;
  for (int x : v) s += x;
  return s;
}
template <size_t N> __device__ int last(SPACE::span<const int, N> v) { return v[N - 1]; }
__device__ SPACE::tuple<int, float, bool> mixed(int x) { return {x, x * 0.5f, x > 2}; }
struct Squares {
  int n;
  __device__ Square begin() const { return Square{0}; }
  __device__ Square end() const { return Square{n}; }
};
"""
_FORMS = [
    (("SPACE::pair<int, float> p(1, 2.5f); auto q = SPACE::make_pair(a[2], 3); auto [x, y] = q;"
     "r = p.first + q.second + x + y;"), 1 + 3 + 2 + 3),
    ("SPACE::pair<int, int> p{4, 5}; r = (p < larger(9, 3)) + 2 * (p == larger(4, 5));", 1),
    (("SPACE::pair<float, int> p = {1, 2}; if (SPACE::make_pair(1.0f, 7) > p) p.second = 7;"
     "r = p.second;"), 7),
    ("thrust::pair<int, int> p = thrust::make_pair(4, 5); r = p.second;", 5),
    (("SPACE::array<int, 4> v{1, 2, 3, 4}; v[1] += 10; for (int& x : v) x *= 2; int s = 0;"
     "for (int x : v) s += x; r = s + v.size();"), 2 * 20 + 4),
    (("SPACE::array<float, 3> v; v.fill(2); const auto w = v; v.back() = 7;"
     "r = v[0] + w.back() + w.front();"), 6),
    ("auto o = find(a, 20, 7); r = (o ? *o : -1) + find(a, 20, 99).value_or(-5);", 2),
    (("r = 0; if (auto f = find(a, 20, 9)) r = *f; if (auto f = find(a, 20, 99)) r = 0;"
     "while (const auto f = find(a + r, 1, 9)) r += *f + 1;"), 10),
    (("int x = SPACE::min(a[4], 3), y = 9; SPACE::swap(x, y); SPACE::uint32_t z = 2;"
     "r = SPACE::numeric_limits<short>::max() + x + SPACE::max(z, 1u)"
     " + SPACE::is_same_v<SPACE::remove_const_t<const int>, int>;"), 32767 + 9 + 2 + 1),
    ("Span s{a, 5}; r = 0; for (auto x : s) r += x;", 10),
    ("r = 0; for (int x : part(a, 2)) for (int y : part(a + x, 2)) r += x * y;", 5 + 14),
    ("Squares s{4}; r = 0; for (auto x : s) r += x;", 14),
    (("SPACE::pair<int, int> v[2]; v[0] = {1, 2}; v[1] = SPACE::make_pair(3, 4); r = 0;"
     "for (auto [x, y] : v) r += x * y; for (auto& [x, y] : v) x = 0; r += v[0].first;"), 14),
    (("r = digits(SPACE::make_index_sequence<5>{}) + digits(SPACE::integer_sequence<int, 7, 1>{})"
     " + SPACE::make_integer_sequence<short, 6>::size();"), 1234 + 71 + 6),
    ("r = weighed(5, 2.5f, 4.0, (short)1);", 2 + 8 + 3),
    (("auto [x, y, z] = mixed(5); const auto t = mixed(1); auto& [u, v, w] = t;"
     "r = 10 * x + 2 * y + z + u + 4 * v + w + 2 * SPACE::get<float>(t);"), 50 + 5 + 1 + 1 + 2 + 1),
    (("int x; float y; SPACE::tie(x, y, SPACE::ignore) = mixed(4); int z;"
     "SPACE::tie(z, r) = larger(3, 8); r += x * 100 + y * 10 + z;"), 400 + 20 + 8 + 1),
    (("auto t = SPACE::make_tuple(1, 2.5, a[3]); SPACE::get<0>(t) += 5; auto& [x, y, z] = t;"
     "y = 4; r = SPACE::get<double>(t) + SPACE::get<2>(t) + x;"
     "SPACE::tuple<float, double, long> wide = t; r += SPACE::get<0>(wide);"), 4 + 3 + 6 + 6),
    ("r = SPACE::apply([](int x, float y, bool z) { return x + 2 * y + z; }, mixed(6));", 13),
    (("SPACE::tuple<int, int> p{2, 5}, q{2, 7}; int x = 3, y = 4;"
     "r = (p < q) + 2 * (p == q) + 4 * (q >= p) + 8 * (SPACE::tie(x, y) < SPACE::tie(y, x));"), 13),
    (("r = SPACE::get<1>(larger(4, 3)) + SPACE::get<0>(larger(4, 3)) + "
     "SPACE::tuple_size<decltype(mixed(1))>::value;"), 0 + 4 + 3),
    (("int v[4] = {1, 2, 3, 4}; static_assert(SPACE::size(v) == 4);"
     "r = *SPACE::begin(v) + *(SPACE::end(v) - 1) + SPACE::data(v)[1];"), 7),
    (("int v[4] = {1, 2, 3, 4}; SPACE::array<int, 2> w{7, 8}; SPACE::span<int> s(v, 3);"
     "s[1] = 20; r = sum(v) + sum(w) + sum(s.subspan(1)) + sum(s.first(1)) + s.back();"),
     28 + 15 + 23 + 1 + 3),
    (("int v[4] = {1, 2, 3, 4}; SPACE::span f(v); const SPACE::span<int, 4> g = f; g.front() = 6;"
     "r = f.size() + f.extent + last(SPACE::span<const int, 4>(g)) + v[0]"
     " + sizeof(f) + sizeof(SPACE::span<int>);"), 4 + 4 + 4 + 6 + 8 + 16),
    (("r = 0; for (int x : {3, 4, a[2]}) r += x; for (auto s : {\"ab\", \"c\"}) r += s[0];"),
     9 + 97 + 99),
]  # fmt: skip


@pytest.mark.parametrize("space", ["std", "cuda::std"])
def test_values_of_the_standard_library(space):
    kernels = "".join(
        f"__global__ void k{at}(const int* a, int* out) {{ int r; {body} *out = r; }}\n"
        for at, (body, _) in enumerate(_FORMS)
    )
    source = read_cuda((_BEFORE + kernels).replace("SPACE", space))
    found = np.zeros((len(_FORMS), 1), np.int32)
    for at, out in enumerate(found):
        kernel, _ = lower_kernel(source, f"k{at}")
        done = launch(kernel, 1, 1, [np.arange(20, dtype=np.int32), out])
        assert done.finished
        assert done.faults == ()
    assert found[:, 0].tolist() == [right for _, right in _FORMS]


@pytest.mark.parametrize("text", ["std::variant<int> t(1);", "*out = std::exchange(p, p);"])
def test_what_our_headers_lack_of_a_namespace_is_refused_by_name(text):
    """It is not said to be no C++, also where a header of ours has other names of it."""
    kernel = f"__global__ void k(int* out) {{ std::pair<int, int> p(1, 2); {text} }}"
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"#include <tuple>\n{kernel}"), "k")
    assert error.value.what.code == "cpp.no-std"


_TWICE = """
namespace a { struct P { int x; }; enum { one = 4 };
  __device__ int weigh(const P& p, int by = one) { return p.x * by; }
  __device__ bool operator<(const P& l, const P& r) { return l.x < r.x; } }
namespace b { struct P { int x; }; struct Q { P p; }; enum { one = 8 };
  __device__ int weigh(const P& p, int by = one) { return p.x * by; }
  __device__ bool operator<(const P& l, const P& r) { return r.x < l.x; } }
__global__ void k(int* out) { a::P p{1}, q{2}; b::P r{1}, s{2}; b::Q u{{2}};
  *out = (p < q) + 2 * (s < r) + weigh(p) + weigh(u.p); }
"""


def test_types_of_parameters_are_those_of_the_functions_namespace():
    kernel, _ = lower_kernel(read_cuda(_TWICE), "k")
    out = np.zeros(1, np.int32)
    assert launch(kernel, 1, 1, [out]).faults == ()
    assert out[0] == 1 + 2 + 4 + 16
