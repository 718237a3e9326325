"""Compares what a kernel wrote with a person's reference, a function of Python in a file.

The file is executed here, in the process that runs a person's own script or program.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from inspect import Parameter
from math import isqrt
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.comparing import compare
from grader.facts import Fact, FactError, fact, quote
from grader.scripts import NO_REFERENCE, NOT_AS_REFERENCE
from grader.simt.host.files.binding import ReferenceArguments, bind, group_members
from grader.simt.host.files.narrow_floats import NarrowFloat, as_numbers, narrow_float
from grader.simt.launches.reports import Launch, WriteOrigin
from grader.simt.program.kernel import CompiledKernel

_REFERENCE = "reference"
_NUMBERS = "biuf"

FindWriter = Callable[[str, int], WriteOrigin | None]
"""Returns the last write of an element: given the output's name and the element's flat index."""


class CheckFailed(FactError):
    """An output is wrong, or cannot be compared; `status` is what the process ends with."""

    def __init__(
        self, what: Fact, hint: Fact | None = None, status: int = NOT_AS_REFERENCE
    ) -> None:
        super().__init__(what)
        self.hint = hint
        self.status = status


class NotStored(CheckFailed):
    """An output is right, but no kernel has stored to it."""


@dataclass(frozen=True)
class Outputs:
    """The arguments of a launch, before it and after it, by name.

    Attributes:
        given: all of them, before.
        stored: the arrays that launches stored to, after them; if none, those they could have.
        find_writer: tells which thread wrote an element.
        any_stored: False if no launch has stored to an array.
        narrow: the floats that NumPy lacks among them, which are float32 here.
    """

    given: Mapping[str, Any]
    stored: Mapping[str, NDArray[Any]]
    find_writer: FindWriter
    any_stored: bool = True
    narrow: Mapping[str, NarrowFloat] = field(default_factory=dict)

    def as_numbers(self, kinds: Mapping[str, str]) -> Outputs:
        """Return them with floats in place of their bits.

        Args:
            kinds: what each parameter takes its elements for, as a person writes it.
        """
        found = {
            name: narrow_float(value.dtype, kinds.get(name, ""))
            for name, value in self.stored.items()
        }
        return replace(
            self,
            given={name: as_numbers(v, kinds.get(name, "")) for name, v in self.given.items()},
            stored={name: as_numbers(v, kinds.get(name, "")) for name, v in self.stored.items()},
            narrow={name: each for name, each in found.items() if each is not None},
        )

    @property
    def terms(self) -> int:
        """Estimate the terms of the longest sum in an element of an output, for the tolerance.

        Either each output reads its share of the inputs, or square matrices are multiplied.
        """
        sizes = [np.size(each) for each in self.given.values() if isinstance(each, np.ndarray)]
        per_output = sum(sizes) // max(1, sum(each.size for each in self.stored.values()))
        return max(1, per_output, isqrt(max(sizes, default=1)))

    @property
    def scale(self) -> float:
        """The usual size of the largest input of floats, for a result in which terms cancel."""
        arrays = [
            each.astype(np.float64)
            for each in self.given.values()
            if isinstance(each, np.ndarray) and each.dtype.kind == "f" and each.size
        ]
        with np.errstate(all="ignore"):
            found = (float(np.sqrt(np.mean(each[np.isfinite(each)] ** 2))) for each in arrays)
            return max(found, default=0.0)


class Reference:
    """A person's function, which gives what is right.

    Attributes:
        file: has the function `reference`, or one function only.
        parameters: the names of what it takes.
    """

    def __init__(self, file: Path) -> None:
        """Load it.

        Raises:
            CheckFailed: the file fails, or has no such function.
        """
        self.file = file
        self._function = _load(file)
        self._signature = inspect.signature(self._function)
        self.parameters = tuple(self._signature.parameters)

    def give(self, given: Mapping[str, Any], names: tuple[str, ...]) -> Mapping[str, Any]:
        """Return what it gives, by the names of the outputs.

        Args:
            given: all arguments of a launch, by name.

        Raises:
            CheckFailed: it fails, or what it gives is not of these outputs.
        """
        bound = self.bind(tuple(given), names)
        copies = {
            name: np.copy(each) if isinstance(each, np.ndarray) else each
            for name, each in given.items()
        }
        known = {**copies, **group_members(copies)}
        arguments = {name: known[own] for name, own in bound.names.items()}
        try:
            with np.errstate(all="ignore"):
                made = self._call(arguments, {name: known[name] for name in bound.rest})
        except (Exception, SystemExit) as error:
            raise _failed(self.file, error) from error
        if made is None:
            taken = bound.take(tuple(given))
            pairs = {name: (given[name], copies[name]) for name in taken}
            return _take_in_place(self.file, pairs, names)
        if isinstance(made, dict):
            if made.keys() >= set(names):
                return made
            made = tuple(made.values())
        results = made if isinstance(made, tuple) else (made,)
        if len(results) != len(names):
            n, found, file = len(names), len(results), self.file.name
            what = fact("compared.count", names=names, n=n, found=found, file=file)
            raise CheckFailed(what, fact("compared.count.hint", file=file))
        return dict(zip(names, results, strict=True))

    def bind(self, given: tuple[str, ...], outputs: tuple[str, ...]) -> ReferenceArguments:
        """Return which of the arguments of a launch it gets; see `binding`.

        Raises:
            CheckFailed: it has a parameter that none of them is for.
        """
        bound = bind(self._signature, given, outputs)
        if isinstance(bound, str):
            what = fact("compared.parameter", name=bound, file=self.file.name, known=given)
            raise CheckFailed(what, None, NO_REFERENCE)
        return bound

    def _call(self, arguments: Mapping[str, Any], rest: Mapping[str, Any]) -> Any:
        """Call it with arguments by its own names, and with what `**` takes."""
        kinds = self._signature.parameters
        placed = [n for n in arguments if kinds[n].kind == Parameter.POSITIONAL_ONLY]
        named = {n: value for n, value in arguments.items() if n not in placed}
        return self._function(*map(arguments.__getitem__, placed), **named, **rest)


def check_outputs(file: Path, outputs: Outputs) -> int:
    """Compare outputs with what a reference gives, and say what came of it.

    Returns:
        The status with which the process ends: see `grader.scripts`.
    """
    try:
        for right in compare_outputs(Reference(file), outputs):
            say(right.describe(file))
    except CheckFailed as error:
        return say_failure(error)
    return 0


def say(*lines: Fact | str) -> None:
    """Write lines to standard error."""
    print(*lines, sep="\n", file=sys.stderr, flush=True)


def say_failure(error: CheckFailed) -> int:
    """Say what is wrong; return the exit status."""
    say(error.what, *([f"  {error.hint}"] if error.hint is not None else []))
    return error.status


class LargestError(NamedTuple):
    """How far the furthest element is off, and the size of the largest number that is right."""

    error: float = 0.0
    largest: float = 0.0

    def fields(self) -> dict[str, str]:
        """Return both as a sentence has them."""
        return {"error": f"{self.error:.1e}", "largest": f"{self.largest:.3g}"}


class RightOutput(NamedTuple):
    """An output that is right: its elements, and how far the furthest of them is off."""

    name: str
    size: int
    off: LargestError

    def describe(self, file: Path) -> Fact:
        """Say so."""
        n, fields = self.size, self.off.fields()
        if not self.off.error:
            return fact("compared.right", name=self.name, n=n, file=file.name)
        return fact("compared.near", name=self.name, n=n, file=file.name, **fields)


def outputs_of_launch(
    ready: CompiledKernel, before: Mapping[str, Any], after: Mapping[str, Any], done: Launch
) -> Outputs:
    """Return the arrays that a launch may have stored to, by its arguments before and after it."""
    stored: dict[str, NDArray[Any]] = {
        name: value
        for name, value in after.items()
        if name in ready.compiled.stored and isinstance(value, np.ndarray)
    }

    def find_writer(name: str, place: int) -> WriteOrigin | None:
        at = np.unravel_index(place, np.shape(stored[name]))
        return done.origin(name, tuple(map(int, at)))

    return Outputs(before, stored, find_writer)


def compare_outputs(reference: Reference, outputs: Outputs) -> Iterator[RightOutput]:
    """Compare outputs with what a reference gives, one by one.

    Raises:
        CheckFailed: one is wrong, or cannot be compared.
    """
    results = reference.give(outputs.given, tuple(outputs.stored))
    for name in outputs.stored:
        yield _check(reference, outputs, name, results[name])


def _check(reference: Reference, outputs: Outputs, name: str, result: Any) -> RightOutput:
    got, file = outputs.stored[name], reference.file
    right = _fit(name, got, np.asarray(result), file)
    narrow = outputs.narrow.get(name)
    terms = outputs.terms if narrow is None or narrow.is_added else 1
    epsilon = None if narrow is None else narrow.epsilon
    found = compare(got, right, terms, scale=outputs.scale, epsilon=epsilon)
    if len(found.wrong):
        raise _wrong(name, got, right, found.wrong, outputs.find_writer)
    if not outputs.any_stored:
        what = fact("compared.not-stored", name=name, file=file.name)
        raise NotStored(what, fact("compared.not-stored.hint"))
    with np.errstate(all="ignore"):
        sizes = np.abs(right.astype(np.float64))
    largest = float(sizes[np.isfinite(sizes)].max(initial=0.0))
    return RightOutput(name, got.size, LargestError(found.error, largest))


def _take_in_place(
    file: Path, arguments: Mapping[str, tuple[Any, Any]], names: tuple[str, ...]
) -> Mapping[str, Any]:
    """Return the outputs that a reference without a result has changed.

    Args:
        arguments: what it took by name, before and after.

    Raises:
        CheckFailed: it took not all outputs by their names, or changed none of them.
    """
    changed = tuple(
        name
        for name, (before, after) in arguments.items()
        if isinstance(after, np.ndarray) and after.tobytes() != before.tobytes()
    )
    if arguments.keys() >= set(names) and not set(names).isdisjoint(changed):
        return {name: arguments[name][1] for name in names}
    what = fact("compared.nothing", file=file.name, names=names)
    if changed:
        what = fact("compared.changed", file=file.name, changed=changed)
    raise CheckFailed(what, fact("compared.nothing.hint", names=names))


def _failed(file: Path, error: BaseException) -> CheckFailed:
    frames = traceback.extract_tb(error.__traceback__)
    line = next((each.lineno for each in reversed(frames) if each.filename == str(file)), None)
    why = quote(f"{type(error).__name__}: {error}")
    return CheckFailed(
        fact("compared.failed", file=file.name, line=line or 1, why=why), None, NO_REFERENCE
    )


class _AsItIs(SourceFileLoader):
    """Compiles the file anew and stores nothing beside it.

    Python's cache knows a file by its size and the second of its last change: a reference edited
    twice in a second would be the former one.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _load(file: Path) -> Callable[..., Any]:
    absent = CheckFailed(
        fact("compared.no-function", file=file.name),
        fact("compared.no-function.hint"),
        NO_REFERENCE,
    )
    loader = _AsItIs("quiz_reference", str(file))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None  # a loader of files has one
    module = module_from_spec(spec)
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _failed(file, error) from error
    own = [
        each
        for each in vars(module).values()
        if inspect.isfunction(each) and each.__module__ == module.__name__
    ]
    public = [each for each in own if not each.__name__.startswith("_")]
    chosen = [each for each in own if each.__name__ == _REFERENCE] or public
    if len(chosen) != 1:
        raise absent
    return chosen[0]


def _fit(name: str, got: NDArray[Any], result: NDArray[Any], file: Path) -> NDArray[Any]:
    """Return what the reference gives in the shape of an output.

    Raises:
        CheckFailed: it is not of numbers, or has not as many elements.
    """
    if result.dtype.kind not in _NUMBERS:
        raise CheckFailed(
            fact("compared.dtype", name=name, dtype=str(result.dtype), file=file.name)
        )
    if result.size != got.size:
        shape, wanted = str(result.shape), str(got.shape)
        what = fact("compared.shape", name=name, shape=shape, wanted=wanted, file=file.name)
        raise CheckFailed(what, fact("compared.shape.hint", file=file.name))
    return result.reshape(got.shape)


def _wrong(
    name: str,
    got: NDArray[Any],
    right: NDArray[Any],
    wrong: NDArray[np.int64],
    find_writer: FindWriter,
) -> CheckFailed:
    """Say which element is the first that is wrong, and who wrote it."""
    first = tuple(int(each) for each in wrong[0])
    origin = find_writer(name, int(np.ravel_multi_index(first, got.shape)))
    writer = fact("kernel.never")
    if origin is not None:
        block, thread = str(origin.block), str(origin.thread)
        writer = fact("compared.writer", thread=thread, block=block, line=origin.line)
    expected = right[first]
    if got.dtype.kind == "f":  # in as many digits as the output has
        with np.errstate(all="ignore"):
            expected = got.dtype.type(expected)
    element = f"{name}[{', '.join(map(str, first))}]"
    shown, wanted, n, total = str(got[first]), str(expected), len(wrong), got.size
    what = fact("compared.wrong-alone", element=element, got=shown, expected=wanted, writer=writer)
    if total > 1:
        what = fact(
            "compared.wrong", element=element, got=shown, expected=wanted, writer=writer, n=n,
            total=total,
        )  # fmt: skip
    return CheckFailed(what)
