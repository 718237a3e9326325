"""Pairs, arrays, and optional values of the standard library, and loops over what has iterators."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

_BEFORE = """
#include <array>
#include <optional>
#include <utility>
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/utility>
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
    ("SPACE::array<float, 3> v; v.fill(2); r = v[0] + v.back();", 4),
    ("auto o = find(a, 20, 7); r = (o ? *o : -1) + find(a, 20, 99).value_or(-5);", 2),
    (("r = 0; if (auto f = find(a, 20, 9)) r = *f; if (auto f = find(a, 20, 99)) r = 0;"
     "while (const auto f = find(a + r, 1, 9)) r += *f + 1;"), 10),
    ("Span s{a, 5}; r = 0; for (auto x : s) r += x;", 10),
    ("r = 0; for (int x : part(a, 2)) for (int y : part(a + x, 2)) r += x * y;", 5 + 14),
    ("Squares s{4}; r = 0; for (auto x : s) r += x;", 14),
    (("SPACE::pair<int, int> v[2]; v[0] = {1, 2}; v[1] = SPACE::make_pair(3, 4); r = 0;"
     "for (auto [x, y] : v) r += x * y; for (auto& [x, y] : v) x = 0; r += v[0].first;"), 14),
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


@pytest.mark.parametrize("text", ["std::tuple<int, int> t(1, 2);", "*out = std::get<0>(p);"])
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
