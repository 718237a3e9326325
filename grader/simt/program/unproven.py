"""Which operations of a kernel may overflow, launch by launch, with few analyses of its bounds.

What is proven for bounds around several launches is proven for each of them. So the second launch
is analyzed within wider bounds, and if as much is proven there as for the first launch alone, later
launches within them need no analysis of their own: a verdict has half a dozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from grader.simt.program import nodes
from grader.simt.program.bounds import Interval, find_unproven

_MARGIN = 4
"""How many times as large as the first two a launch may be, to be within the wider bounds."""


class _Launches(NamedTuple):
    """Bounds of launches. `geometries`: the smallest and the largest, of each axis."""

    numbers: Mapping[str, Interval]
    geometries: tuple[Any, Any]

    def has(self, other: _Launches) -> bool:
        """Return True if other launches are within these bounds."""
        pairs = zip(self._each(), other._each(), strict=True)
        return all(own[0] <= its[0] and its[1] <= own[1] for own, its in pairs)

    def _each(self) -> list[Interval]:
        least, most = self.geometries
        sizes = zip((*least.grid, *least.block), (*most.grid, *most.block), strict=True)
        return [*self.numbers.values(), *sizes]


class Unproven:
    """The operations of a kernel that may overflow.

    Attributes:
        known: those of launches before, by their numbers and geometry.
    """

    def __init__(self, kernel: nodes.Function) -> None:
        self.known: dict[Any, frozenset[int]] = {}
        self._kernel = kernel
        self._first: tuple[_Launches, frozenset[int]] | None = None
        self._wide: _Launches | None = None

    def find(self, numbers: Mapping[str, int], geometry: Any) -> frozenset[int]:
        """Return those (by id) that may overflow in a launch.

        Args:
            numbers: what its parameters are given, of those that are integers.
        """
        key = geometry, *numbers.values()
        if key not in self.known:
            bounds = {name: (given, given) for name, given in numbers.items()}
            self.known[key] = self._find(_Launches(bounds, (geometry, geometry)))
        return self.known[key]

    def _find(self, launch: _Launches) -> frozenset[int]:
        if self._first is None:
            self._first = launch, self._analyze(launch)
            return self._first[1]
        first, found = self._first
        if self._wide is None:
            self._wide = _widen(first, launch)
            if self._analyze(self._wide) != found:
                self._wide = first  # its own bounds alone
        return found if self._wide.has(launch) else self._analyze(launch)

    def _analyze(self, launches: _Launches) -> frozenset[int]:
        return find_unproven(self._kernel, launches.numbers, launches.geometries)


def _widen(first: _Launches, second: _Launches) -> _Launches:
    """Return bounds of launches that are as small as can be, up to some times as large as two.

    Numbers that are positive, as sizes are, stay so. Blocks and unused axes are as both have them.
    """
    pairs = zip(first.numbers.items(), second.numbers.values(), strict=True)
    numbers = {name: _widen_number((*one, *other)) for (name, one), other in pairs}
    geometries = first.geometries[0], second.geometries[0]
    grids = [
        (1, most * _MARGIN if most > 1 else 1)
        for most in map(max, zip(*(each.grid for each in geometries), strict=True))
    ]
    blocks = [sorted(pair) for pair in zip(*(each.block for each in geometries), strict=True)]
    smallest, largest = (
        geometries[0]._replace(
            grid=tuple(sizes[end] for sizes in grids), block=tuple(sizes[end] for sizes in blocks)
        )
        for end in (0, 1)
    )
    return _Launches(numbers, (smallest, largest))


def _widen_number(seen: tuple[int, ...]) -> Interval:
    least, most = min(seen), max(seen)
    return (1 if least > 0 else least * _MARGIN), max(most * _MARGIN, 0)
