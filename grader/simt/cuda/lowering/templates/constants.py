"""`std::integral_constant` and what is one of it, and the type traits of a header of ours."""

from __future__ import annotations

from functools import cache

from grader.simt.cuda import declared
from grader.simt.cuda.libraries import read_traits
from grader.simt.cuda.names import STANDARD_TYPE_TEMPLATES, STANDARD_VALUE_TEMPLATES
from grader.simt.cuda.parser.parsing import parse

INTEGRAL_CONSTANT = "integral_constant"
TRUTHS = {"true_type": True, "false_type": False}
CONSTANTS = frozenset({INTEGRAL_CONSTANT, "bool_constant", *TRUTHS})
"""Their names in `std`."""
TRAITS = STANDARD_TYPE_TEMPLATES | {each for each in STANDARD_VALUE_TEMPLATES if each[-2:] == "_v"}
TRAIT = "std::conditional"
"""One that the header has."""
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
def type_traits() -> tuple[declared.Declaration, ...]:
    """Return the declarations of the traits: sources need not include their header."""
    path, text = read_traits()
    return parse(text, path=path).declarations


@cache
def integral_constant() -> declared.Struct:
    """Return the class template."""
    (found,) = parse(_SOURCE, path="<type_traits>").structs
    return found
