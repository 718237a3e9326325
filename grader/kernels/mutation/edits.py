"""Edits of a source by which a mutant differs from it, and what the sizes of a problem reach.

A mutant is a program of its own: `SamePlaces` says where a change would give the same kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from math import inf, prod
from typing import Generic, NamedTuple, TypeVar

from grader.kernels.problem import Argument, Problem, evaluate_integer, evaluate_number

Rule = str
_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_HUGE = 1e9
_INT_MAX = 2**31 - 1
_FLAT_SHARE = 4
"""Share of the largest array's elements that an array needs to be indexed by more than 16 bits."""
_BYTE = 127
_SMALL = 8
"""Sizes of so few are small by nature: the slices of a sum."""


class Piece(NamedTuple):
    """Text that comes in place of `source[start:end]`."""

    start: int
    end: int
    new: str


class Edit(NamedTuple):
    """What one mutant changes, by a rule of `rules.RULES`."""

    rule: Rule
    pieces: tuple[Piece, ...]


def edit(rule: Rule, start: int, end: int, new: str) -> Edit:
    """Make an edit in one place."""
    return Edit(rule, (Piece(start, end, new),))


def other_comparisons(operator: str, *, zero: bool) -> Iterator[str]:
    """Yield what a comparison is exchanged for; `zero`: its right side is 0."""
    if operator in _OTHER:
        yield _OTHER[operator]
    if operator == "!=" and zero:
        yield ">"


def other_integers(value: int, *, larger: bool = False) -> Iterator[int]:
    """Yield the neighbors of an integer constant; none of a mask of all lanes.

    With `larger` only the next one: a smaller stride covers the same elements, and dividing by 31
    gives the same numbers for the first lanes of warps.
    """
    if value < _INT_MAX:
        yield value + 1
    if 0 < value <= _INT_MAX and not larger:
        yield value - 1


def is_power_of_two(value: object) -> bool:
    """Return True for 2, 4, 8, …."""
    return isinstance(value, int) and value > 1 and value.bit_count() == 1


def is_huge(value: float) -> bool:
    """Return True for a constant that stands for a value below or above all others."""
    return abs(value) >= _HUGE and abs(value) not in (2**32 - 1, 2**32)


def first_value(argument: Argument, problem: Problem) -> float:
    """Return the value of a scalar argument at the first shape."""
    assert argument.value is not None
    return evaluate_number(argument.value, problem.shapes[0], ("arguments",))


def reach(size: str | float, problem: Problem) -> int:
    """Return the largest value of a size over the listed shapes."""
    return max(evaluate_integer(size, shape, ("shapes",)) for shape in problem.shapes)


def find_bound(size: str | float, problem: Problem) -> float:
    """Return the largest value that a size may have; infinity if a name in it has no bound."""
    names = set(re.findall(r"[A-Za-z_]\w*(?!\s*\()\b", str(size)))
    if not names <= problem.bounded.keys():
        return inf
    return evaluate_number(size, problem.bounded, ("bounded",))


def index_bits(argument: Argument, problem: Problem, axis: int | None) -> int:
    """Return how many bits an index is narrowed to; 0 if no shape could need more.

    Args:
        axis: which index; None for the only one, into all of its elements.
    """
    if axis is not None:
        size = argument.shape[axis]
        bound = find_bound(size, problem)
        # Below 0, an index counts from the end: into 256 elements, 8 bits are the same index.
        return 0 if bound in (*range(_BYTE + 2), 256) or reach(size, problem) <= _SMALL else 8
    arrays = (each for each in problem.arguments if each.value is None)
    largest = max(_elements(each, problem) for each in arrays)
    bits = 16 if _elements(argument, problem) * _FLAT_SHARE >= largest else 8
    bound = prod(find_bound(size, problem) for size in argument.shape)
    return 0 if bound <= 1 << (bits - 1) else bits


def _elements(argument: Argument, problem: Problem) -> int:
    count = 1
    for size in argument.shape:
        count *= evaluate_integer(size, problem.shapes[0], ("arguments",))
    return count


def axes_of(problem: Problem) -> str:
    """Return the axes along which the grid has blocks."""
    return "xyz"[: len(problem.grid)]


Node = TypeVar("Node")


@dataclass(frozen=True)
class SamePlaces(Generic[Node]):
    """Nodes that are mutated less, or not at all.

    Attributes:
        comparisons: of equal values, for which either branch does, or that elect a thread.
        constants: whose neighbors are no program, or the same one.
        strides: where less covers the same elements, and divisors that are powers of two: 31 gives
            the same numbers as 32 for the first lanes of warps.
        sizes: of which more does no harm.
        scaled: what a loop such as `for (step = 16; step > 0; step /= 2)` begins and ends with;
            True for a beginning from which it grows. Steps of 17, 8, 4, 2, 1 reach all lanes.
    """

    comparisons: Set[Node]
    constants: Set[Node]
    strides: Set[Node]
    sizes: Set[Node]
    scaled: Mapping[Node, bool]

    def list_others(self, node: Node, value: int) -> Iterator[int]:
        """Yield the values that an integer constant is exchanged for; none for most of these."""
        if node in self.constants:
            return
        if node in self.strides:
            yield from other_integers(value, larger=True)
        elif node in self.sizes:
            yield from (value - 1,) if value else ()
        elif node not in self.scaled:
            yield from other_integers(value)
        elif self.scaled[node]:
            yield value * 2
        elif value > 1:
            yield value // 2
