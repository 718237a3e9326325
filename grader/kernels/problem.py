"""What a kernel is asked to do: its arguments, the shapes it is tried with, launch and limits.

Frozen and plain: numbers, words and expressions over the names of a shape, which are interpreted by
`grader.compute`. Knows no YAML, and makes no arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

from grader.compute import NotComputable, compute
from grader.simt.counters import COUNTERS

Amount = int | float | str
"""A number, or an expression over the names of a shape: `ceil(rows / 32)`."""
Role = Literal["input", "output", "inout"]
Filling = Literal[
    "normal", "uniform", "integers", "ramp", "permutation", "sorted", "offsets", "zeros", "ones"
]
Path = tuple[str | int, ...]

KINDS_OF_ACCESS = ("load", "store", "atomic")
SUMS = {
    f"{memory}_{what}": tuple(f"{memory}_{kind}_{what}" for kind in KINDS_OF_ACCESS)
    for memory, counted in (
        ("shared", ("requests", "wavefronts", "ideal", "conflicts", "lanes")),
        ("global", ("requests", "sectors", "ideal_sectors", "lanes")),
    )
    for what in counted
}
"""Counters that add up loads, stores and atomics: `shared_requests`."""
BYTES = "shared_bytes"
"""No counter of the emulator: the shared memory that a block declares."""
MOST_ELEMENTS = 1 << 22
"""Of one array."""
MOST_THREADS = 1 << 20
"""Of a launch."""
_AXES = 3


class InvalidProblem(ValueError):
    """Something of the problem cannot be, at `path`; `todo` says what to do about it."""

    def __init__(self, path: Path, what: str, todo: str) -> None:
        super().__init__(what)
        self.path = path
        self.what = what
        self.todo = todo


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of the kernel: an array, or a number where `value` is given.

    Attributes:
        dtype: NumPy's name of the type; of a number `int64` or `float64` where left out.
        shape: its sizes.
        role: an output is filled with a sentinel before; `inout` begins as an input does.
        filling: what is in it; `low` and `high` bound `uniform`, `integers` and `offsets`.
        value: of a number.
    """

    name: str
    dtype: str = ""
    shape: tuple[Amount, ...] = ()
    role: Role = "input"
    filling: Filling = "normal"
    low: Amount = 0
    high: Amount = 1
    value: Amount | None = None


@dataclass(frozen=True, slots=True)
class CountLimit:
    """A counter, or a sum of some (`SUMS`), and between what it must be at the first shape."""

    counter: str
    most: Amount | None = None
    least: Amount | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A kernel to be written.

    Attributes:
        kernel: the function's name.
        arguments: in order.
        shapes: what the names in expressions mean, once for each run; limits count at the first.
        grid, block: of the launch.
        shared: bytes of dynamic shared memory.
        limits: what is counted.
        terms: of the longest sum, from which the tolerance follows; 0 asks for equal values.
        reference: Python with a function `reference(…)` of the inputs by name, which returns the
            outputs in order; floats come as float64. Empty: values are not compared.
        seed: of the inputs.
    """

    kernel: str
    arguments: tuple[Argument, ...]
    shapes: tuple[Mapping[str, int], ...]
    grid: tuple[Amount, ...]
    block: tuple[Amount, ...]
    shared: Amount = 0
    limits: tuple[CountLimit, ...] = ()
    terms: Amount = 0
    reference: str = ""
    seed: int = 1

    @property
    def outputs(self) -> tuple[int, ...]:
        """Positions of the arguments that the kernel is to write."""
        return tuple(i for i, one in enumerate(self.arguments) if one.role != "input")


def number(amount: Amount, shape: Mapping[str, int], path: Path) -> float:
    """The value of an amount.

    Raises:
        InvalidProblem: it has none.
    """
    if not isinstance(amount, str):
        return amount
    try:
        return compute(amount, shape)
    except NotComputable as error:
        known = ", ".join(shape) or "none"
        what = f"cannot be computed: {error} (character {error.column} of `{amount}`)"
        raise InvalidProblem(path, what, f"names of the shape: {known}") from None


def whole(amount: Amount, shape: Mapping[str, int], path: Path, least: int = 0) -> int:
    """An amount as a whole number.

    Raises:
        InvalidProblem: it is none, or less than `least`.
    """
    value = number(amount, shape, path)
    if value != int(value) or value < least:
        raise InvalidProblem(path, f"{amount} is {value:g}", f"a whole number from {least} on")
    return int(value)


def sizes(amounts: Sequence[Amount], shape: Mapping[str, int], path: Path) -> tuple[int, ...]:
    """The sizes along up to three axes, or of an array.

    Raises:
        InvalidProblem: one is no size.
    """
    return tuple(whole(one, shape, (*path, i), 1) for i, one in enumerate(amounts))


def check(problem: Problem) -> None:
    """See that everything can be computed, for every shape. Quick: no array is made.

    Raises:
        InvalidProblem: something cannot.
    """
    if not problem.shapes:
        raise InvalidProblem(("shapes",), "no shape", "give several")
    names = [one.name for one in problem.arguments]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InvalidProblem(("arguments", i, "name"), f"{name} stands twice", "rename one")
    if problem.reference and not problem.outputs:
        todo = "add `role: output` to the array that the kernel writes"
        raise InvalidProblem(("arguments",), "no output", todo)
    for i, limit in enumerate(problem.limits):
        _check_limit(limit, ("counts", i))
    for shape in problem.shapes:
        _check_shape(problem, shape)


def _check_limit(limit: CountLimit, path: Path) -> None:
    known = (BYTES, *SUMS, *COUNTERS)
    if limit.counter not in known:
        todo = f"counters: {', '.join(known)}"
        raise InvalidProblem((*path, "counter"), f"there is no counter {limit.counter}", todo)
    if limit.most is None and limit.least is None:
        raise InvalidProblem(path, "it limits nothing", "add `most:` or `least:`")


def _check_shape(problem: Problem, shape: Mapping[str, int]) -> None:
    for i, one in enumerate(problem.arguments):
        _check_argument(one, shape, ("arguments", i))
    threads = 1
    for name in ("grid", "block"):
        given = getattr(problem, name)
        if not 1 <= len(given) <= _AXES:
            raise InvalidProblem(("launch", name), f"{len(given)} sizes", "one to three: x, y, z")
        threads *= prod(sizes(given, shape, ("launch", name)))
    if threads > MOST_THREADS:
        todo = f"up to {MOST_THREADS:,}, so that grading stays quick"
        raise InvalidProblem(("launch",), f"{threads:,} threads", todo)
    whole(problem.shared, shape, ("launch", "shared"))
    whole(problem.terms, shape, ("terms",))
    for i, limit in enumerate(problem.limits):
        for bound in ("most", "least"):
            amount = getattr(limit, bound)
            if amount is not None:
                number(amount, shape, ("counts", i, bound))


def _check_argument(one: Argument, shape: Mapping[str, int], path: Path) -> None:
    if one.value is not None:
        number(one.value, shape, (*path, "value"))
        return
    if not one.shape:
        raise InvalidProblem(path, "neither shape nor value", "add `shape:` or `value:`")
    elements = prod(sizes(one.shape, shape, (*path, "shape")))
    if elements > MOST_ELEMENTS:
        raise InvalidProblem(path, f"an array of {elements:,}", f"up to {MOST_ELEMENTS:,} elements")
    number(one.low, shape, (*path, "low"))
    number(one.high, shape, (*path, "high"))


def problem_from(plain: Mapping[str, Any]) -> Problem:
    """What `dataclasses.asdict` was made of, come back from JSON."""
    arguments = tuple(
        Argument(**{**one, "shape": tuple(one["shape"])}) for one in plain["arguments"]
    )
    limits = tuple(CountLimit(**one) for one in plain["limits"])
    lists = {name: tuple(plain[name]) for name in ("shapes", "grid", "block")}
    return Problem(**{**plain, **lists, "arguments": arguments, "limits": limits})
