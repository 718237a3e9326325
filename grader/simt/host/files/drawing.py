"""Draws the arguments of a function for several shapes, by the names of its parameters.

How long each array is follows from runs with memory to spare, at two sizes: the product of numbers
that comes closest to the last element that was touched. Writes what `written_arguments` reads; runs
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import combinations_with_replacement, permutations, product
from math import log, prod
from typing import NamedTuple

from grader.simt.host.files.written_arguments import names_of_sizes, put_numbers

Numbers = Mapping[str, int]
"""By name."""
Factors = tuple[str | int, ...]
"""Of the length of an array: names of numbers, and constants."""
_PROBES = ((131, 211), (37, 61), (53, 29), (23, 31), (11, 7), (5, 3))
"""What a size is in the first and the second run; primes, so that products tell their factors."""
_SMALL = (3, 5, 2, 4)
_ROLES = {
    "pad": (re.compile(r"pad", re.IGNORECASE), (0, 1, 0, 1)),
    "stride": (re.compile(r"stride|dilation|step_size", re.IGNORECASE), (1, 2, 1, 3)),
    "part": (re.compile(r"kernel|filter|window|(?i:top_?k)|k_\w+|k[rcdhw]?$|rank"), (1, 3, 2, 5)),
    "start": (re.compile(r"(start|begin)|[sS](_\w+)?$", re.IGNORECASE), (0,)),
    "end": (re.compile(r"(end)|[eE](_\w+)?$", re.IGNORECASE), (0,)),
    "heads": (re.compile(r"\w*heads?$|\w*groups?$|h$"), (1, 2, 4)),
    "times": (re.compile(r"\w*(iter|step|round|epoch|generation|power)|[PRT]$"), (1, 3, 2)),
    "any": (re.compile(r"\w*(zero_point|seed|offset|target|value|threshold)"), (0, 3, 7)),
    "tile": (re.compile(r"\w*(tile|block)", re.IGNORECASE), (16, 8, 4)),
}
"""What an integer is by its name, and what it may be; all else are sizes."""
_COUNTED = ("size", "part", "heads", "tile")
"""Roles of numbers that an array may be as long as."""
_LIMIT = re.compile(
    r"\w*(bins?|buckets?|vocab\w*|class(es)?|categories|experts|labels|symbols)(_?(size|count))?$",
    re.IGNORECASE,
)
"""A number that the integers of an array are below, as they index what it is the length of."""
_REALS = {"eps": "1e-05", "epsilon": "1e-05", "lo": "-0.5", "low": "-0.5", "hi": "0.75"}
_TALL = re.compile(r"\w*(rows?|height)$|[hHR]$")
_WIDE = re.compile(r"\w*(cols?|columns?|width)$|[wWC]$")
_INEXACT = 0.5
"""The cost of factors whose product is not exactly the length of the array, and of a guess."""
_MOST_FACTORS = 4
_MOST_ORDERS = 600
_MOST_LIKELY = 6
_MOST_ELEMENTS = 60_000
"""Of the product of all sizes."""
_SPARE = 1 << 14
"""Least elements of an array whose length is not known yet."""


class DrawnParameter(NamedTuple):
    """A parameter.

    Attributes:
        dtype: of the elements, or of the number, as `written_arguments` names it.
        array: True if it is a pointer.
        const: True if nothing is stored through it.
        members: of a struct, their names.
    """

    name: str
    dtype: str
    array: bool = False
    const: bool = False
    members: tuple[str, ...] = ()

    @property
    def is_integer(self) -> bool:
        """True if its numbers are whole."""
        return self.dtype[0] in "iu"


class DrawnShape(NamedTuple):
    """The arguments of a run, as a person writes them, and the numbers among them."""

    text: str
    numbers: Numbers


@dataclass(frozen=True)
class Drawing:
    """Draws numbers, and writes arguments.

    Attributes:
        fixed: what a person gave, as text.
        sizes: further names that sizes in it are computed from.
        shapes: the factors of each array, axis by axis; those that are not known yet are missing.
        likely: further shapes of each, with what is against them.
        unfilled: arrays that only outputs are.
        zeroed: outputs that are read or added to: they begin as zeros.
        bounded: True if integers in arrays are below the least size, so that they may be indices.
    """

    parameters: tuple[DrawnParameter, ...]
    fixed: Mapping[str, str]
    sizes: tuple[str, ...] = ()
    shapes: Mapping[str, Factors] | None = None
    likely: Mapping[str, Sequence[tuple[float, Factors]]] | None = None
    unfilled: frozenset[str] = frozenset()
    zeroed: frozenset[str] = frozenset()
    bounded: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """The integers that are drawn."""
        own = [each.name for each in self.parameters if not each.array and each.is_integer]
        return (*self.sizes, *(name for name in own if name not in self.fixed))

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays that are drawn."""
        return tuple(
            each.name for each in self.parameters if each.array and each.name not in self.fixed
        )

    @property
    def drawn_sizes(self) -> tuple[str, ...]:
        """The integers that are sizes."""
        return tuple(name for name in self.numbers if self.role(name) == "size")

    def role(self, name: str) -> str:
        """Return what an integer is, by its name."""
        found = next((role for role, (form, _) in _ROLES.items() if form.match(name)), "size")
        if found == "start" and not any(_ROLES["end"][0].match(each) for each in self.numbers):
            return "size"
        if found == "end" and not any(_ROLES["start"][0].match(each) for each in self.numbers):
            return "size"
        return found

    @property
    def limit(self) -> str:
        """The number that integers in arrays are below, by its name; "" if there is none."""
        names = [each.name for each in self.parameters if not each.array and each.is_integer]
        return next(filter(_LIMIT.match, names), "")

    def probe(self, turn: int) -> DrawnShape:
        """Return arguments with memory to spare; `turn` is 0 or 1."""
        names = self.drawn_sizes
        rows = _PROBES[: len(names)] if len(names) == 1 else _PROBES[1:]
        if len(names) > 3:
            rows = ((7, 5), (5, 11), (11, 3), (3, 7), (2, 2), (3, 2))
        sizes = {name: rows[at % len(rows)][turn] for at, name in enumerate(names)}
        numbers = self._fill_roles(sizes, turn, _SMALL)
        spare = max(_SPARE, 4 * prod(sizes.values()), 4 * max(sizes.values(), default=1) ** 2)
        return self.write(numbers, dict.fromkeys(self.arrays, (spare,)))

    def _fill_roles(self, sizes: Numbers, turn: int, parts: Sequence[int] = ()) -> dict[str, int]:
        """Return all numbers, for these sizes."""
        numbers = {**self._given, **sizes}
        lengths = [*sizes.values()] or [max(numbers.values(), default=1)]
        least, heads, part, ends = min(lengths), 1, 1, Counter[str]()
        for at, name in enumerate(self.numbers):
            role = self.role(name)
            if role == "size":
                continue
            values = parts if parts and role == "part" else _ROLES[role][1]
            value = values[(turn + at) % len(values)]
            if role == "heads":
                heads = value
            if role in ("start", "end"):
                length = lengths[ends[role] % len(lengths)]
                ends[role] += 1
                value = length // 3 if role == "start" else (length - 1 + length // 3) // 2
                value = length - 1 if parts and role == "end" else value
            elif role == "part":
                value = part = max(1, min(value, least))
            elif role == "pad":
                value = min(value, part // 2)
            numbers[name] = value
        return {
            name: -(-value // heads) * heads if heads > 1 and name in sizes else value
            for name, value in numbers.items()
        }

    @property
    def _given(self) -> dict[str, int]:
        return {name: int(text) for name, text in self.fixed.items() if text.isdecimal()}

    def shape(self, sizes: Sequence[int], turn: int) -> DrawnShape:
        """Return arguments whose sizes are these."""
        numbers = self._fill_roles(dict(zip(self.drawn_sizes, sizes, strict=True)), turn)
        return self.write(numbers)

    def write(self, numbers: Numbers, shapes: Mapping[str, Factors] | None = None) -> DrawnShape:
        """Return arguments with these numbers, and these shapes in place of its own."""
        shapes = (self.shapes or {}) if shapes is None else shapes
        texts = list[str]()
        for each in self.parameters:
            text = self.fixed.get(each.name)
            if text is None and each.array:
                text = self._write_array(each, numbers, shapes.get(each.name, ()))
            elif text is None and each.is_integer:
                text = str(numbers[each.name])
            elif text is None:
                text = "1" if each.dtype == "bool" else _REALS.get(each.name, "0.5")
            elif text.isidentifier() and text in numbers:
                text = str(numbers[text])
            if names_of_sizes(text) & set(self.sizes):
                text = put_numbers(text, numbers)
            texts.append(f"{each.name}={text}")
        return DrawnShape(", ".join(texts), numbers)

    def _write_array(self, parameter: DrawnParameter, numbers: Numbers, axes: Factors) -> str:
        text = f"{parameter.dtype}[{','.join(map(str, axes)) or 1}]"
        if parameter.name in self.unfilled:
            return text
        if parameter.name in self.zeroed:
            return f"{text}:zeros"
        if not parameter.is_integer:
            return f"{text}:{'random' if parameter.dtype == 'bool' else 'normal'}"
        least = min(self.drawn_sizes, key=lambda name: numbers[name], default="")
        most = least if self.bounded else self.limit
        return f"{text}:random({most})" if most else f"{text}:random"

    def describe(self) -> str:
        """Return the arrays that are drawn, as a person would write them."""
        parts = self.write(dict.fromkeys(self.numbers, 1)).text.split(", ")
        return ", ".join(part for part in parts if part.partition("=")[0] in self.arrays)

    def with_lengths(self, runs: Sequence[tuple[Numbers, Mapping[str, int]]]) -> Drawing:
        """Return it with the likely shapes of each array that probes touched.

        Args:
            runs: the numbers of each, and how many elements of each array it touched.
        """
        known = {*self._given, *self.numbers}
        ordered = (*self.sizes, *(each.name for each in self.parameters if each.name in known))
        names = [name for name in ordered if self.role(name) in _COUNTED]
        likely = dict[str, Sequence[tuple[float, Factors]]]()
        for name in self.arrays:
            lengths = [touched.get(name, 0) for _, touched in runs]
            found = _rank(names, [numbers for numbers, _ in runs], lengths)
            likely[name] = found or [(_INEXACT, tuple(self.drawn_sizes[:2]))]
        indices = [each.name for each in self.parameters if each.array and each.is_integer]
        counts = {axis for name in indices for axis in likely.get(name, [(0, ())])[0][1]}
        likely = {
            name: [(cost, self._put_limit_first(axes, counts)) for cost, axes in found]
            for name, found in likely.items()
        }
        first = {name: found[0][1] for name, found in likely.items()}
        return replace(self, shapes=first, likely=likely)

    def _put_limit_first(self, axes: Factors, counts: Container[str | int]) -> Factors:
        """Return the axes of a table with its rows first, which integers of an array are of.

        Args:
            axes: of any array.
            counts: how many of such integers there are: an array with a row for each is no table.
        """
        if len(axes) == 2 and axes[1] == self.limit and axes[0] not in counts:
            return axes[::-1]
        return axes

    @property
    def guessed(self) -> bool:
        """True if the length of an input is no product of numbers that its elements fit exactly."""
        outputs = self.unfilled | self.zeroed
        return any(
            sorted(map(str, (self.shapes or {}).get(name, ()))) != sorted(map(str, found[0][1]))
            or found[0][0] >= _INEXACT
            for name, found in (self.likely or {}).items()
            if name not in outputs and name not in self.fixed
        )

    def orders(self, *, unlikely: bool = False) -> Iterator[Drawing]:
        """Yield it with shapes of its arrays, the likeliest first; then with flat arrays.

        Args:
            unlikely: whether further lengths are tried than those that fit best.
        """
        ways = [
            [
                (cost + 0.001 * at, axes)
                for cost, factors in (found if unlikely else found[:1])
                for at, axes in enumerate(dict.fromkeys(permutations(factors)))
            ]
            for found in (self.likely or {}).values()
        ]
        while prod(map(len, ways)) > _MOST_ORDERS:
            longest = max(ways, key=len)
            longest.sort()
            longest.pop()
        chosen = sorted(product(*ways), key=lambda way: sum(cost for cost, _ in way))
        for way in chosen:
            shapes = dict(zip(self.likely or {}, (axes for _, axes in way), strict=True))
            yield replace(self, shapes=shapes)
        flat = {
            name: ("*".join(map(str, axes)),) if axes else ()
            for name, axes in (self.shapes or {}).items()
        }
        yield replace(self, shapes=flat)


def _rank(
    names: Sequence[str], numbers: Sequence[Numbers], lengths: Sequence[int]
) -> list[tuple[float, Factors]]:
    """Return the factors whose products come closest to lengths, with what is against each.

    There are none if nothing was touched.
    """
    found = list[tuple[float, Factors]]()
    if not all(lengths):
        return found
    for count in range(_MOST_FACTORS + 1):
        for factors in combinations_with_replacement(names, count):
            bare = [prod(each[name] for name in factors) for each in numbers]
            shares = {length / each for length, each in zip(lengths, bare, strict=True)}
            own = [int(each) for each in shares if factors and len(shares) == 1 and each % 1 == 0]
            for times in dict.fromkeys((1, 2, 3, 4, *own)):
                products = [times * each for each in bare]
                pairs = zip(lengths, products, strict=True)
                off = sum(abs(log(length / each)) for length, each in pairs)
                odd = (times != 1) + count - len(set(factors)) + _MOST_FACTORS * (times > 4)
                cost = 0.01 * (count + odd) + (_INEXACT + off + 0.4 * odd if off else 0)
                axes = (*_order(factors), *((times,) if times != 1 else ()))
                found.append((cost, axes))
    return nsmallest(_MOST_LIKELY, found, key=lambda each: each[0])


def _order(factors: tuple[str, ...]) -> tuple[str, ...]:
    """Return axes with rows before columns, else as they are."""
    if len(factors) == 2 and _WIDE.match(factors[0]) and _TALL.match(factors[1]):
        return factors[::-1]
    return factors


def draw_sizes(count: int, edges: Sequence[int], *, square: bool) -> list[tuple[int, ...]]:
    """Return the sizes to try: multiples of a block, then 1, what is beside them, and rectangles.

    Args:
        edges: threads of a block along each axis.
        square: True if an array has a size twice, or a constant beside it: only small ones are
            tried.
    """
    edge = max((each for each in edges if each > 1), default=16)
    if count == 0:
        return [()]
    if count == 1:
        if square:
            edge = min(edge, 32)
        usual = [64 if square else 256, edge]
        few = {1, 2, 31, edge - 1, edge + 1, 2 * edge + 3, *(() if square else (1000,))}
        return [(each,) for each in dict.fromkeys((*usual, *sorted(few - {0})))]
    small = edge if edge <= 32 else 16
    rows = [
        (small,) * count, cycle((2 * small, small, 4 * small), count),
        (1,) * count, cycle((1, 37, 2), count), cycle((37, 1, 3), count),
        cycle((small + 1, small - 1, small), count), cycle((5, 33, 18), count),
        cycle((33, 2 * small + 3, 7), count),
    ]  # fmt: skip
    if edge > small and count == 2:
        rows += [(3, edge + 1), (edge + 1, 3), (2, edge - 1)]
    return [_bounded(row) for row in dict.fromkeys(rows)]


def cycle(values: Sequence[int], count: int) -> tuple[int, ...]:
    """Return so many values, from the first again after the last."""
    return tuple(values[at % len(values)] for at in range(count))


def _bounded(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return sizes whose product is not too large: the largest are halved."""
    found = list(sizes)
    while prod(found) > _MOST_ELEMENTS:
        at = found.index(max(found))
        found[at] = max(1, found[at] // 2 - 1)
    return tuple(found)
