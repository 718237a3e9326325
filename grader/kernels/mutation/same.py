"""Places of a solution where a change gives the same kernel, in either language's syntax tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

from grader.kernels.mutation.edits import other_integers

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
