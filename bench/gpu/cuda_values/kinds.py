"""C++'s numbers, and what is known of an expression: type, range, what it reads and changes.

Ranges keep the programs clear of undefined behavior: a signed sum is only written if it fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

PRIMARY, POSTFIX, UNARY, PRODUCT, SUM, SHIFT, ORDER, EQUAL = 16, 15, 14, 13, 12, 11, 9, 8
AND, XOR, OR, BOTH, EITHER, ASSIGNED = 7, 6, 5, 4, 3, 2
"""How tightly an operator binds."""


class Kind(NamedTuple):
    """A type of numbers: `bits` of an integer include its sign; `rank` orders conversions."""

    name: str
    bits: int
    rank: int
    signed: bool = True
    real: bool = False

    @property
    def low(self) -> int:
        """The smallest integer."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The greatest integer."""
        return (1 << (self.bits - self.signed)) - 1


BOOL = Kind("bool", 1, 0, signed=False)
INT = Kind("int", 32, 3)
UNSIGNED = Kind("unsigned int", 32, 3, signed=False)
LONG_LONG = Kind("long long", 64, 5)
UNSIGNED_LONG_LONG = Kind("unsigned long long", 64, 5, signed=False)
FLOAT = Kind("float", 32, 6, real=True)
DOUBLE = Kind("double", 64, 7, real=True)
KINDS = (
    *(BOOL, Kind("char", 8, 1), Kind("signed char", 8, 1)),
    *(Kind("unsigned char", 8, 1, signed=False), Kind("short", 16, 2)),
    *(Kind("unsigned short", 16, 2, signed=False), INT, INT, UNSIGNED, UNSIGNED),
    *(Kind("long", 64, 4), Kind("unsigned long", 64, 4, signed=False)),
    *(LONG_LONG, UNSIGNED_LONG_LONG, FLOAT, FLOAT, DOUBLE),
)
"""Those that are drawn; the usual ones are here twice."""


def promote(kind: Kind) -> Kind:
    """Return what an integer below int becomes in arithmetic."""
    return INT if kind.rank < INT.rank else kind


def common(left: Kind, right: Kind) -> Kind:
    """Return the type of arithmetic on two numbers."""
    if left.real or right.real:
        return max(left, right, key=lambda kind: kind.rank)
    left, right = promote(left), promote(right)
    high, low = (left, right) if left.rank >= right.rank else (right, left)
    if high.signed == low.signed or not high.signed or high.bits > low.bits:
        return high
    return next(each for each in KINDS if each.rank == high.rank and not each.signed)


@dataclass(frozen=True, slots=True)
class Locks:
    """Variables that an operand must leave alone, since its neighbors use them unsequenced."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()

    def beside(self, *others: Locks | Made) -> Locks:
        """Return what a further operand must leave alone."""
        reads = self.reads.union(*(each.reads for each in others))
        return Locks(reads, self.writes.union(*(each.writes for each in others)))


@dataclass(frozen=True, slots=True)
class Made:
    """An expression; `low` and `high` bound an integer, a real has no bounds and may be NaN."""

    text: str
    kind: Kind
    low: int
    high: int
    level: int = PRIMARY
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()

    def within(self, level: int) -> str:
        """Return its text as an operand of an operator."""
        return self.text if self.level >= level else f"({self.text})"


def made(
    text: str, kind: Kind, level: int, *parts: Made, low: int | None = None, high: int | None = None
) -> Made:
    """Make an expression of parts; without bounds, or if they do not fit, it has any value."""
    if low is None or high is None or low < kind.low or high > kind.high or kind.real:
        low, high = kind.low, kind.high
    reads = frozenset[str]().union(*(each.reads for each in parts))
    writes = frozenset[str]().union(*(each.writes for each in parts))
    return Made(text, kind, low, high, level, reads, writes)


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that is a place: a variable, an element, a member; `root` is what it is a part of."""

    text: str
    kind: Kind
    root: str
    const: bool = False
    low: int | None = None
    high: int | None = None

    def read(self) -> Made:
        """Return it as an expression."""
        found = made(self.text, self.kind, POSTFIX, low=self.low, high=self.high)
        return Made(found.text, found.kind, found.low, found.high, POSTFIX, frozenset({self.root}))
