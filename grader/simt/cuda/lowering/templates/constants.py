"""`std::integral_constant` and what is one of it: types that stand for numbers."""

from __future__ import annotations

from functools import cache

from grader.simt.cuda import declared
from grader.simt.cuda.parser.parsing import parse

INTEGRAL_CONSTANT = "integral_constant"
TRUTHS = {"true_type": True, "false_type": False}
CONSTANTS = frozenset({INTEGRAL_CONSTANT, "bool_constant", *TRUTHS})
"""Their names in `std`."""
_SOURCE = """
template <typename T, T v> struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  __device__ constexpr operator T() const { return v; }
  __device__ constexpr T operator()() const { return v; }
};
"""


@cache
def integral_constant() -> declared.Struct:
    """Return the class template."""
    (found,) = parse(_SOURCE, path="<type_traits>").structs
    return found
