"""What the nodes of a lowered Python function compute, beside arithmetic: variables, paths, ranges.

Values are those of `grader.layouts.arithmetic`, but (1, threads) or (1, 1). The last argument is
the elements that are there, (1, threads); a function raises `LaneFault` for some of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts import arithmetic
from grader.layouts.arithmetic import Array, Value, choose
from grader.layouts.errors import BoolArray, LaneFault, NotWhole, TooMuchWork
from grader.layouts.lowered import run_at
from grader.layouts.names import shorten, write
from grader.simt.checks.counters import Site
from grader.simt.lockstep.merging import BranchPaths
from grader.simt.machine.chunk import ExecutionPoint

DEEPEST_CALL = 24

_ON_EVERY_PATH = fact("layout.element-on-every-path")


class LayoutVariable(NamedTuple):
    """A variable's value, and the elements in which it has one.

    If these are all of the call, they are the call's own `entry`, which makes the common case a
    test of identity.
    """

    value: Value
    lanes: BoolArray


class RangeValue(NamedTuple):
    """The numbers of a `range`: the first, the step, and how many there are."""

    first: Array
    step: Array
    rounds: Array


def entry(active: BoolArray) -> BoolArray:
    """Return the elements of a call."""
    return active


def assign(
    value: Value, old: LayoutVariable | None, entry: BoolArray, active: BoolArray
) -> LayoutVariable:
    """Return a variable after the active elements were given a value."""
    if old is None or active is entry:
        return LayoutVariable(value, active)
    before, defined = old
    if defined is not entry and not (defined & ~active).any():
        return LayoutVariable(value, active)
    lanes = entry if defined is entry else defined | active
    if lanes is not entry and (lanes == entry).all():
        lanes = entry
    return LayoutVariable(choose(active, value, before, active), lanes)


def take(name: str, variable: LayoutVariable | None, entry: BoolArray, active: BoolArray) -> Value:
    """Return the value of a variable that the active elements must have given one."""
    if variable is None:
        raise LaneFault(fact("layout.no-value", name=shorten(name)), active)
    value, defined = variable
    if defined is not entry and (missing := active & ~defined).any():
        raise LaneFault(fact("layout.no-value", name=shorten(name)), missing)
    return value


def join(value: Value | BranchPaths, active: BoolArray) -> Value:
    """Join what two paths gave."""
    if isinstance(value, BranchPaths):
        return choose(value.mask.full, value.here, value.elsewhere, active)
    return value


def one_number(value: Value, active: BoolArray) -> Array:
    """Return a value that must be a number, not a pair."""
    if isinstance(value, tuple):
        raise LaneFault(fact("layout.pair-for-number"), active)
    return value


def one_integer(value: Value, active: BoolArray) -> Array:
    """Return a value that must be an integer."""
    number = one_number(value, active)
    if number.dtype.kind == "f":
        raise LaneFault(fact("layout.float-for-integer"), active, write("//"), whole=True)
    return arithmetic.as_whole(number)


def is_false(value: Array) -> BoolArray:
    """Compute `not value`."""
    return ~arithmetic.truth(value)


def plus(value: Array) -> Array:
    """Compute `+value`, which makes an integer of a bool."""
    return arithmetic.negate(arithmetic.negate(value))


def least(*values_and_active: Any) -> Array:
    """Compute `min(…)`."""
    *values, active = values_and_active
    return arithmetic.take_extreme(values, active, largest=False)


def greatest(*values_and_active: Any) -> Array:
    """Compute `max(…)`."""
    *values, active = values_and_active
    return arithmetic.take_extreme(values, active, largest=True)


def make_tuple(*parts_and_active: Any) -> Value:
    """Return a tuple of numbers and of tuples of numbers: deeper ones could double without end."""
    active: BoolArray = parts_and_active[-1]
    parts: tuple[Value, ...] = parts_and_active[:-1]
    for part in parts:
        if isinstance(part, tuple) and any(isinstance(item, tuple) for item in part):
            raise LaneFault(fact("layout.tuple-too-deep"), active)
    return parts


def take_item(here: ExecutionPoint, value: Value, index: Array) -> Value:
    """Return the item of a tuple that each element asks for, from the end if it is negative."""
    for _ in value if isinstance(value, tuple) else ():
        here.chunk.spend(here.site)  # each is chosen or not
    found: Value = run_at(_choose_item, here, value, index)
    return found


def _choose_item(value: Value, index: Array, active: BoolArray) -> Value:
    if not isinstance(value, tuple):
        raise LaneFault(fact("layout.number-indexed"), active)
    count = len(value)
    outside = np.broadcast_to((index >= count) | (index < -count), active.shape)
    if (beyond := outside & active).any():
        number = int(np.broadcast_to(index, active.shape)[beyond][0])
        raise LaneFault(fact("layout.beyond-tuple", index=number, n=count), beyond)
    place = index % count
    asked = np.unique(np.broadcast_to(place, active.shape)[active]).tolist()
    result = value[asked[0] if asked else 0]
    for at in asked[1:]:
        result = choose(place == at, value[at], result, active)
    return result


def unpack(count: int, value: Value, active: BoolArray) -> tuple[Array, ...]:
    """Return as many numbers as there are names for them."""
    if not isinstance(value, tuple) or len(value) != count:
        raise LaneFault(fact("layout.not-so-many-values", n=count), active)
    return tuple(one_number(part, active) for part in value)


def count_rounds(*numbers_and_active: Any) -> RangeValue:
    """Return the numbers of `range(…)`."""
    *given, active = numbers_and_active
    one = np.ones((1, 1), dtype=np.int64)
    if len(given) == 1:
        given.insert(0, one - 1)
    first, stop, step = (*given, one)[:3]
    if ((step == 0) & active).any():
        raise LaneFault(fact("layout.range-step-0"), (step == 0) & active)
    return RangeValue(first, step, np.maximum(0, -((first - stop) // step)))


def has_round(numbers: RangeValue, number: Array) -> BoolArray:
    """Find the elements whose range has a round of this number, from 0."""
    found: BoolArray = numbers.rounds > number
    return found


def number_of_round(numbers: RangeValue, number: Array) -> Array:
    """Return the number that the range gives in a round."""
    found: Array = numbers.first + number * numbers.step
    return found


def go_deeper(here: ExecutionPoint, depth: int) -> int:
    """Return how deep the calls are nested in a function that is called at this depth.

    Raises:
        TooMuchWork: too deep.
    """
    if depth >= DEEPEST_CALL:
        what = fact("layout.calls-too-deep", most=DEEPEST_CALL)
        raise TooMuchWork(what, here.site.line, here.site.column)
    return depth + 1


def return_nothing(active: BoolArray) -> None:
    """Stop at a `return` without a value."""
    raise LaneFault(fact("layout.returns-nothing"), active, _ON_EVERY_PATH)


def reach_the_end(name: str, active: BoolArray) -> None:
    """Stop at the end of a function that should have returned."""
    raise LaneFault(fact("layout.function-returns-nothing", name=shorten(name)), active)


class _FloatReturned(NamedTuple):
    """A float that the entry returns in an element."""

    integral: bool
    element: int
    error: NotWhole


class EntryResult:
    """What the entry returns, with the floats among it: other faults are reported first."""

    def __init__(self) -> None:
        self._floats: list[_FloatReturned] = []

    def check(self) -> None:
        """Raise the clearest error if there was a float."""
        if self._floats:
            raise self._clearest()

    def assign(
        self,
        places: tuple[Site, ...],
        value: Value,
        old: LayoutVariable | None,
        entry: BoolArray,
        active: BoolArray,
    ) -> LayoutVariable:
        """Return the result after the active elements returned a value, written at `places`."""
        given = value if isinstance(value, tuple) else (value,)
        values = [one_number(part, active) for part in given]
        for place, number in zip(places * (len(values) // len(places)), values, strict=True):
            if number.dtype.kind == "f":
                self._floats.append(_describe_float(number, place, active))
        try:
            return assign(value, old, entry, active)
        except LaneFault as fault:  # a float on one path, an integer on another
            if fault.whole:
                raise self._clearest() from None
            raise

    def _clearest(self) -> NotWhole:
        """Return the error to show: an inexact float explains most, then the first element."""
        return min(self._floats, key=lambda found: (found.integral, found.element)).error


def _describe_float(number: Array, place: Site, active: BoolArray) -> _FloatReturned:
    inexact = active & (number % 1 != 0)
    element = int(np.argmax(inexact if inexact.any() else active))
    found = float(np.broadcast_to(number, active.shape)[0, element])
    what = fact("layout.float-returned", value=found)
    error = NotWhole(what, place.line, place.column, element=element)
    return _FloatReturned(found.is_integer(), element, error)
