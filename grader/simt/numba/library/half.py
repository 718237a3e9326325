"""`cuda.fp16`: arithmetic, comparisons and functions of float16."""

from __future__ import annotations

from grader.simt.intrinsics.functions import half, rounding
from grader.simt.numba.library.calling import Table, elementwise

_RULES = (
    ("half 1", 1, half.ONE),
    ("half 2", 2, half.TWO),
    ("half test", 2, half.TESTS),
    ("half 3", 3, {"hfma": rounding.fma}),
)
"""How each is typed, and what computes it, by name."""

CALLS: Table = {
    f"cuda.fp16.{name}": elementwise(f"cuda.fp16.{name}", rule, function, count)
    for rule, count, functions in _RULES
    for name, function in functions.items()
}
