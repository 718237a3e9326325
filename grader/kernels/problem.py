"""Describes a kernel's task: its arguments, the shapes it is run at, launch and limits.

Frozen and plain: numbers, words and expressions over the names of a shape, which are interpreted by
`grader.compute`. Knows no YAML, and makes no arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from typing import Literal, NamedTuple, TypeVar

from grader.compute import NotComputable, compute
from grader.did_you_mean import find_nearest
from grader.facts import Fact, FactError, fact
from grader.simt.checks.counters import COUNTERS, SHARES

Amount = int | float | str
"""A number, or an expression over the names of a shape: `ceil(rows / 32)`."""
Role = Literal["input", "output", "inout"]
Filling = Literal[
    "normal", "uniform", "integers", "ramp", "permutation", "sorted", "offsets", "zeros", "ones",
    "equal", "skewed", "extremes", "wide", "peaks",
]  # fmt: skip
Figures = Amount | tuple[Amount, ...]
CodeLanguage = Literal["python", "cuda", "triton"]
"""Of a kernel: Python for Numba, CUDA C++, or Python for Triton."""
FieldPath = tuple[str | int, ...]

Bounds = Mapping[str, tuple[int, int]]
"""The least and the largest size, by name."""

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
_WITH_ATOMICS = {
    parts[i]: (parts[i], parts[-1]) for parts in SUMS.values() for i in range(len(parts) - 1)
}
"""An atomic reads and writes its element, so a limit on loads or on stores covers it too."""
BYTES = "shared_bytes"
"""No counter of the emulator: the shared memory that a block declares."""
MOST_ELEMENTS = 1 << 22
"""Of one array."""
MOST_THREADS = 1 << 20
"""Of a launch."""
OPERATIONS = 2_000_000_000
"""End every run: over twice what any shipped solution takes."""
_AXES = 3
_T = TypeVar("_T")


class InvalidProblem(FactError, ValueError):
    """Something of the problem cannot be. `path`: where, by keys and positions."""

    def __init__(self, path: FieldPath, what: Fact) -> None:
        super().__init__(what)
        self.path = path


def _for_run(several: tuple[_T, ...], run: int) -> _T:
    """Select the value of a run; the first if the run belongs to none of the shapes."""
    return several[run if run < len(several) else 0]


def _bound(bound: Figures, run: int) -> Amount:
    return _for_run(bound, run) if isinstance(bound, tuple) else bound


class Recipe(NamedTuple):
    """How an array is filled, and within which bounds."""

    filling: Filling
    low: Amount
    high: Amount


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of the kernel: an array, or a number where `value` is given.

    Attributes:
        dtype: NumPy's name of the type; of a number `int64` or `float64` where left out.
        role: an output is filled with a sentinel before; `inout` begins as an input does.
        filling: what is in it; `low` and `high` bound `uniform`, `integers` and `offsets`. Each may
            be a tuple, with one for each shape; runs beyond it take the first.
        rounded: an integer output that is rounded from floats: one element in a hundred may be off
            by one, since the order of operations decides which way a half goes.
    """

    name: str
    dtype: str = ""
    shape: tuple[Amount, ...] = ()
    role: Role = "input"
    filling: Filling | tuple[Filling, ...] = "normal"
    low: Figures = 0
    high: Figures = 1
    value: Amount | None = None
    rounded: bool = False

    def recipe(self, run: int) -> Recipe:
        """Return what fills the array in a run."""
        filling = self.filling if isinstance(self.filling, str) else _for_run(self.filling, run)
        return Recipe(filling, _bound(self.low, run), _bound(self.high, run))


@dataclass(frozen=True, slots=True)
class CountLimit:
    """A counter, or a sum of some (`SUMS`), and between what it must be at each shape."""

    counter: str
    most: Amount | None = None
    least: Amount | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A kernel to be written.

    Attributes:
        kernel: the function's name. Empty: the text's only kernel, whatever its name.
        shapes: what the names in expressions mean, once for each run.
        shared: bytes of dynamic shared memory.
        terms: of the longest sum, from which the tolerance follows; 0 asks for equal values.
        reference: Python with a function `reference(…)` of the inputs by name, which returns the
            outputs in order; floats come as float64. Empty: values are not compared.
        confirm: of each run that confirms a pass, the least and the largest size by name of a
            shape; names left out are as in the first shape. Empty: one run, at one of `shapes`.
        bounded: by name, the largest size that submissions have to handle, where there is one.
        parameters: what a kernel in CUDA C++ or Triton takes, by the names of arguments and sizes.
            Empty: the arguments, then the sizes of the first shape.
        constants: what a kernel in Triton takes after that, as `tl.constexpr`.
        hidden: seed of the inputs that no submission knows. None: another for each submission.
        operations: how many end a run; None: `OPERATIONS`, or less, as the solution has it.
        solution: a submission that passes, from whose operations the limit of a run follows. Empty:
            there is none.
        deterministic: True if the outputs must have the same bits in every order of the blocks.
        order: seed of the order in which blocks run, see `grader.simt.launch`. None: by number.
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
    confirm: tuple[Bounds, ...] = ()
    bounded: Mapping[str, int] = field(default_factory=dict)
    language: CodeLanguage = "python"
    parameters: tuple[str, ...] = ()
    constants: Mapping[str, Amount] = field(default_factory=dict)
    hidden: int | None = None
    operations: int | None = None
    solution: str = ""
    deterministic: bool = False
    order: int | None = None

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """What a submission takes, by the names of arguments, and of sizes unless for Numba."""
        names = tuple(argument.name for argument in self.arguments)
        if self.language == "python":
            return names
        taken = self.parameters or tuple(dict.fromkeys((*names, *self.shapes[0])))
        return (*taken, *self.constants)

    @property
    def outputs(self) -> tuple[int, ...]:
        """Positions of the arguments that the kernel is to write."""
        return tuple(i for i, argument in enumerate(self.arguments) if argument.role != "input")


def counters_of(counter: str) -> tuple[str, ...]:
    """List the emulator's counters that a limit on `counter` adds up."""
    return {**SUMS, **_WITH_ATOMICS}.get(counter, (counter,))


def evaluate_number(amount: Amount, shape: Mapping[str, int], path: FieldPath) -> float:
    """Evaluate an amount.

    Raises:
        InvalidProblem: it has none.
    """
    if not isinstance(amount, str):
        return amount
    try:
        return compute(amount, shape)
    except NotComputable as error:
        what = fact(
            "problem.not-computable", why=error.what, column=error.column, amount=amount,
            names=tuple(shape),
        )  # fmt: skip
        raise InvalidProblem(path, what) from None


def evaluate_integer(
    amount: Amount, shape: Mapping[str, int], path: FieldPath, least: int = 0
) -> int:
    """Evaluate an amount that must be an integer.

    Raises:
        InvalidProblem: it is not an integer, or less than `least`.
    """
    value = evaluate_number(amount, shape, path)
    if value != int(value) or value < least:
        what = fact("problem.not-integer", amount=amount, value=value, least=least)
        raise InvalidProblem(path, what)
    return int(value)


def evaluate_sizes(
    amounts: Sequence[Amount], shape: Mapping[str, int], path: FieldPath
) -> tuple[int, ...]:
    """Evaluate the sizes along up to three axes, or of an array.

    Raises:
        InvalidProblem: one of them is not a size.
    """
    return tuple(evaluate_integer(amount, shape, (*path, i), 1) for i, amount in enumerate(amounts))


def check(problem: Problem) -> None:
    """See that everything can be computed, for every shape. Quick: no array is made.

    Raises:
        InvalidProblem: something cannot.
    """
    if not problem.shapes:
        raise InvalidProblem(("shapes",), fact("problem.no-shape"))
    names = [argument.name for argument in problem.arguments]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InvalidProblem(("arguments", i, "name"), fact("problem.twice", name=name))
    _check_parameters(problem)
    if problem.reference and not problem.outputs:
        raise InvalidProblem(("arguments",), fact("problem.no-output"))
    for i, limit in enumerate(problem.limits):
        _check_limit(limit, ("counts", i))
    _check_confirm(problem)
    _check_bounded(problem)
    for i, argument in enumerate(problem.arguments):
        _check_lists(argument, len(problem.shapes), ("arguments", i))
    for run, shape in enumerate((*problem.shapes, *chain(*corners(problem)))):
        _check_shape(problem, shape, run)


def _check_parameters(problem: Problem) -> None:
    known = (*(argument.name for argument in problem.arguments), *problem.shapes[0])
    for i, name in enumerate(problem.parameters):
        path = (problem.language, "parameters", i)
        if name not in known:
            raise InvalidProblem(path, fact("problem.no-parameter", name=name, names=known))
        if name in problem.parameters[:i]:
            raise InvalidProblem(path, fact("problem.twice", name=name))


def corners(problem: Problem) -> tuple[tuple[Mapping[str, int], Mapping[str, int]], ...]:
    """Return the smallest and the largest shape of each run that may confirm a pass."""
    first = problem.shapes[0]
    return tuple(
        (
            {**first, **{name: least for name, (least, _) in bounds.items()}},
            {**first, **{name: most for name, (_, most) in bounds.items()}},
        )
        for bounds in problem.confirm
    )


def _check_confirm(problem: Problem) -> None:
    for name, (least, most) in chain(*(bounds.items() for bounds in problem.confirm)):
        if name not in problem.shapes[0]:
            what = fact("problem.no-size", name=name, names=tuple(problem.shapes[0]))
            raise InvalidProblem(("confirm", name), what)
        if least > most:
            what = fact("problem.sizes-swapped", least=least, most=most)
            raise InvalidProblem(("confirm", name), what)


def _check_bounded(problem: Problem) -> None:
    ends = [most for _, most in corners(problem)]
    for name, most in problem.bounded.items():
        if name not in problem.shapes[0]:
            what = fact("problem.no-size", name=name, names=tuple(problem.shapes[0]))
            raise InvalidProblem(("bounded", name), what)
        reached = max(shape.get(name, 0) for shape in (*problem.shapes, *ends))
        if reached != most:
            what = fact("problem.bound-not-reached", name=name, most=most, size=reached)
            raise InvalidProblem(("bounded", name), what)


def _check_limit(limit: CountLimit, path: FieldPath) -> None:
    known = (BYTES, *SHARES, *SUMS, *COUNTERS)
    if limit.counter not in known:
        near = find_nearest(limit.counter, known, 3) or known
        what = fact("problem.no-counter", counter=limit.counter, names=tuple(near))
        raise InvalidProblem((*path, "counter"), what)
    if limit.most is None and limit.least is None:
        raise InvalidProblem(path, fact("problem.no-limit"))


def _check_lists(argument: Argument, shapes: int, path: FieldPath) -> None:
    """Check that a list has one entry per shape."""
    for name, given in (
        ("values", argument.filling),
        ("low", argument.low),
        ("high", argument.high),
    ):
        if isinstance(given, tuple) and len(given) != shapes:
            what = fact("problem.list-length", count=len(given), shapes=shapes)
            raise InvalidProblem((*path, name), what)


def _check_shape(problem: Problem, shape: Mapping[str, int], run: int) -> None:
    for i, argument in enumerate(problem.arguments):
        _check_argument(argument, shape, run, ("arguments", i))
    threads = 1
    for name in ("grid", "block"):
        given = getattr(problem, name)
        if not 1 <= len(given) <= _AXES:
            raise InvalidProblem(("launch", name), fact("problem.axes", count=len(given)))
        threads *= prod(evaluate_sizes(given, shape, ("launch", name)))
    if threads > MOST_THREADS:
        what = fact("problem.threads", threads=threads, most=MOST_THREADS)
        raise InvalidProblem(("launch",), what)
    evaluate_integer(problem.shared, shape, ("launch", "shared"))
    for name, amount in problem.constants.items():
        evaluate_integer(amount, shape, ("triton", "constants", name))
    evaluate_integer(problem.terms, shape, ("terms",))
    for i, limit in enumerate(problem.limits):
        for bound in ("most", "least"):
            amount = getattr(limit, bound)
            if amount is not None:
                evaluate_number(amount, shape, ("counts", i, bound))


def _check_argument(
    argument: Argument, shape: Mapping[str, int], run: int, path: FieldPath
) -> None:
    if argument.value is not None:
        evaluate_number(argument.value, shape, (*path, "value"))
        return
    if not argument.shape:
        raise InvalidProblem(path, fact("problem.neither-shape-nor-value"))
    elements = prod(evaluate_sizes(argument.shape, shape, (*path, "shape")))
    if elements > MOST_ELEMENTS:
        what = fact("problem.elements", elements=elements, most=MOST_ELEMENTS)
        raise InvalidProblem(path, what)
    recipe = argument.recipe(run)
    evaluate_number(recipe.low, shape, (*path, "low"))
    evaluate_number(recipe.high, shape, (*path, "high"))
