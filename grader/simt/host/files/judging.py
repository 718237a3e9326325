"""Judges a function over shapes that are drawn: compares each run of it with a reference.

Knows a function by what it takes and by what a run of it leaves; `drawing` chooses the arguments.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from grader.facts import Fact, fact
from grader.scripts import NO_REFERENCE
from grader.simt.errors import InvalidLaunch
from grader.simt.host.files.binding import split_members
from grader.simt.host.files.checking import (
    CheckFailed,
    LargestError,
    NotStored,
    Outputs,
    Reference,
    compare_outputs,
    say,
    say_failure,
)
from grader.simt.host.files.drawing import Drawing, DrawnParameter, DrawnShape, cycle, draw_sizes
from grader.simt.host.files.narrow_floats import as_numbers
from grader.simt.host.files.written_arguments import names_of_sizes, read_arguments, read_texts
from grader.simt.host.session import ScriptSession
from grader.simt.host.touched import TouchedMemory

_NOTHING: Mapping[str, TouchedMemory] = MappingProxyType({})
_PRIMES, _EVEN = (37, 5, 11, 3, 7, 2), (20, 8, 12, 4, 16, 24)
_TRIED = ((_PRIMES, False), (_EVEN, False), (_PRIMES, True), (_EVEN, True), ((16,), False))
"""Sizes that a reference is tried with, and whether with lengths of arrays that fit less well."""


class SubjectRun(NamedTuple):
    """What a run left: its exit status, and what is compared; None if it did not come so far."""

    status: int
    outputs: Outputs | None


class Subject(Protocol):
    """A function that is run with arguments as a person writes them."""

    signature: str
    parameters: tuple[DrawnParameter, ...]
    session: ScriptSession

    def probe(self, shape: DrawnShape) -> Mapping[str, TouchedMemory]:
        """Run it; return what was touched of each array."""

    def run(self, shape: DrawnShape) -> SubjectRun:
        """Run it."""

    def options(self, shape: DrawnShape) -> str:
        """Return the options of a run with these arguments, but for the arguments."""


def has_all(
    parameters: Sequence[DrawnParameter],
    signature: str,
    text: str | None,
    optional: Container[str] = (),
) -> bool:
    """Return True if nothing is to be drawn: all arguments are given, with their sizes.

    Args:
        optional: names of parameters that have a default.

    Raises:
        InvalidLaunch: the text is none of arguments.
    """
    names = [each.name for each in parameters]
    given = read_texts(text or "", signature, names)
    missing = [name for name in names if name not in given and name not in optional]
    return not missing and not _free_sizes(names, given)


def _free_sizes(names: Sequence[str], given: Mapping[str, str]) -> tuple[str, ...]:
    """Return names in sizes, and numbers, that no number among the arguments is."""
    found = dict[str, None]()
    for text in given.values():
        used = names_of_sizes(text)
        if text.isidentifier() and text not in ("true", "false", "nullptr", "NULL", "inf", "nan"):
            used = {text}
        found.update(dict.fromkeys(sorted(used - set(names))))
    return tuple(found)


def draw(subject: Subject, text: str | None) -> Drawing:
    """Return a drawing of what a person has not given, with the lengths of its arrays.

    Raises:
        SimtError: it cannot be run.
    """
    names = [each.name for each in subject.parameters]
    given = read_texts(text or "", subject.signature, names)
    drawing = Drawing(subject.parameters, given, _free_sizes(names, given))
    runs, touched = [], _NOTHING
    for turn in (0, 1) if drawing.arrays else ():
        shape = drawing.probe(turn)
        touched = subject.probe(shape)
        arguments = dict(zip(names, read_arguments(shape.text, "", names, {}), strict=True))
        lengths = {
            name: each.nbytes // arguments[name].value.itemsize for name, each in touched.items()
        }
        runs.append((shape.numbers, lengths))
    if not runs:
        return drawing
    written = [each.name for each in subject.parameters if each.array and not each.const]
    stored = [name for name in written if touched.get(name, TouchedMemory()).stored] or written
    return replace(
        drawing.with_lengths(runs),
        unfilled=frozenset(
            name for name in stored if not touched.get(name, TouchedMemory()).loaded
        ),
        zeroed=frozenset(name for name in stored if touched.get(name, TouchedMemory()).loaded),
    )


def suggest_arguments(
    subject: Subject, missing: Mapping[str, str | None] = MappingProxyType({"--args": None})
) -> Fact:
    """Return options that a function could be given, and say so if a run with them has a fault.

    Args:
        missing: options with an example each; None for arguments that are to be found.
    """
    options, faulty = dict(missing), False
    if None in options.values():
        text, faulty = _find_arguments(subject)
        options["--args"] = f"'{text}'"
    example = " ".join(f"{name} {text}" for name, text in options.items())
    if faulty:
        return fact("cpp.launch-example-faulty", example=example)
    return fact("cpp.launch-example", example=example)


def _find_arguments(subject: Subject) -> tuple[str, bool]:
    """Return arguments of a moderate size, and whether a run with them has a fault."""
    session = subject.session
    try:
        drawing = draw(subject, None)
        count = len(drawing.drawn_sizes)
        shape = drawing.shape([256 if count == 1 else 64] * count, 0)
        session.launches.clear()
        faulty = subject.run(shape).outputs is None or session.has_faults
    except InvalidLaunch:  # a launch would say why
        drawing = Drawing(subject.parameters, {})
        shape, faulty = drawing.shape([256] * len(drawing.drawn_sizes), 0), True
    session.launches.clear()
    return shape.text, faulty


def judge(subject: Subject, file: Path, text: str | None) -> int:
    """Run a function over drawn shapes, and say where it first differs from a reference.

    Args:
        text: the arguments that a person gave.

    Returns:
        The exit status; see `grader.scripts`.

    Raises:
        SimtError: it cannot be run.
    """
    try:
        reference = Reference(file)
        drawing, outputs = _choose_order(draw(subject, text), reference)
    except CheckFailed as error:
        return say_failure(error)
    return _Judging(subject, reference, drawing, outputs).run()


def _choose_order(drawing: Drawing, reference: Reference) -> tuple[Drawing, tuple[str, ...]]:
    """Return the axes of the arrays that a reference takes, and what the outputs are.

    Raises:
        CheckFailed: it takes none of them.
    """
    outputs = tuple(
        each.name for each in drawing.parameters if each.name in drawing.unfilled | drawing.zeroed
    )
    count = len(drawing.drawn_sizes)
    names = tuple(_read(drawing, drawing.shape(cycle(_PRIMES, count), 0)))
    named = set(outputs) & set(reference.bind(names, outputs).take(names))
    inputs = {each.name for each in drawing.parameters if each.array} - set(outputs)
    kept = named if named and not inputs else set[str]()  # what it reads is what it changes
    drawing = replace(drawing, unfilled=drawing.unfilled - kept, zeroed=drawing.zeroed - named)
    first: CheckFailed | None = None
    fitting: Drawing | None = None
    for (sizes, unlikely), bounded in product(_TRIED, (False, True)):
        for ordered in replace(drawing, bounded=bounded).orders(unlikely=unlikely):
            shape = ordered.shape(cycle(sizes, count), 0)
            given = _read(ordered, shape)
            try:
                results = reference.give(given, outputs)
            except CheckFailed as error:
                first = first or error
                continue
            if all(np.size(results[name]) == np.size(given[name]) for name in outputs):
                return ordered, outputs
            fitting = fitting or ordered
        if fitting is not None:
            return fitting, outputs
    assert first is not None  # there is at least one order
    raise _with_lengths(first, drawing)


def _with_lengths(error: CheckFailed, drawing: Drawing) -> CheckFailed:
    """Return why a reference takes no drawn shape, with what to do about a size of its own."""
    array = next((each for each in drawing.parameters if each.name in drawing.arrays), None)
    if array is None or error.what.code != "compared.failed":
        return error
    example = f"{array.name}={array.dtype}[{'*'.join((*drawing.drawn_sizes, '64'))}]"
    return CheckFailed(error.what, fact("compared.lengths", example=example), error.status)


def _read(drawing: Drawing, shape: DrawnShape) -> dict[str, Any]:
    names = tuple(each.name for each in drawing.parameters)
    pairs = zip(drawing.parameters, read_arguments(shape.text, "", names, {}), strict=True)
    parts = (split_members(kind.name, each.value, kind.members) for kind, each in pairs)
    kinds = {each.name: each.dtype for each in drawing.parameters}
    return {
        name: as_numbers(value, kinds.get(name, ""))
        for part in parts
        for name, value in part.items()
    }


def _leaves_arrays(session: ScriptSession) -> bool:
    """Return True if an access of its launches was out of bounds."""
    findings = (finding for launch in session.launches for finding in launch["findings"])
    return any(finding["kind"] == "out-of-bounds" for finding in findings)


def say_indices(subject: Subject, text: str) -> None:
    """Say that drawn integers may be indices if one was out of bounds, and how to draw them."""
    if not _leaves_arrays(subject.session):
        return
    given = read_texts(text, subject.signature, [each.name for each in subject.parameters])
    drawing = Drawing(subject.parameters, given)
    numbers = {name: int(each) for name, each in given.items() if each.isdecimal() and each != "0"}
    most = drawing.limit or min(numbers, key=lambda name: numbers[name], default="")
    for each in subject.parameters:
        written = given.get(each.name, "")
        if most and each.is_integer and written.endswith(":random"):
            args = f"--args '{each.name}={written}({most})'"
            say(fact("compared.indices", name=each.name, args=args))


class _Judging:
    """A function that is being run over shapes."""

    def __init__(
        self, subject: Subject, reference: Reference, drawing: Drawing, outputs: tuple[str, ...]
    ) -> None:
        self._subject = subject
        self._reference = reference
        self._drawing = drawing
        self._outputs = outputs
        self._right = list[DrawnShape]()
        self._refused = list[tuple[DrawnShape, CheckFailed]]()
        self._unstored: CheckFailed | None = None
        self._off = LargestError()

    def run(self) -> int:
        """Run it over all shapes; stop at the first that is not right."""
        drawing = self._drawing
        names = drawing.drawn_sizes
        lengths = (drawing.shapes or {}).values()
        square = any(axes.count(name) > 1 for axes in lengths for name in names)
        square = square or any(
            isinstance(each, int) and each > 4 for axes in lengths for each in axes
        )
        for turn, sizes in enumerate(draw_sizes(len(names), self._edges(), square=square)):
            shape = self._drawing.shape(sizes, turn)
            try:
                shape = self._with_outputs(shape)
            except CheckFailed as error:
                self._refused.append((shape, error))
                continue
            status, failed = self._run_one(shape)
            if failed is not None and self._may_be_bounded():
                shape = self._with_outputs(self._drawing.shape(sizes, turn))
                status, failed = self._run_one(shape)
            if failed is not None:
                return self._say_wrong(shape, status, failed)
            self._right.append(shape)
        if not self._right:
            return say_failure(_with_lengths(self._refused[0][1], drawing))
        if self._unstored is not None:
            return say_failure(self._unstored)
        self._say_right()
        return 0

    def _may_be_bounded(self) -> bool:
        """Draw integers below the least size, if an access was out of bounds: they are indices."""
        drawing = self._drawing
        indices = any(each.array and each.is_integer for each in drawing.parameters)
        if drawing.bounded or not indices or not _leaves_arrays(self._subject.session):
            return False
        self._drawing = replace(drawing, bounded=True)
        return True

    def _edges(self) -> tuple[int, ...]:
        """Return the threads of a block along each axis, as the last probe launched them."""
        launches = self._subject.session.launches
        return tuple(launches[-1]["block"]) if launches else ()

    def _with_outputs(self, shape: DrawnShape) -> DrawnShape:
        """Return a shape whose outputs are as long as what the reference gives.

        Raises:
            CheckFailed: the reference does not take these arguments.
        """
        given = _read(self._drawing, shape)
        results = self._reference.give(given, self._outputs)
        sized = dict(self._drawing.fixed)
        for each in self._drawing.parameters:
            if each.name not in self._outputs:
                continue
            found = np.asarray(results[each.name])
            if found.size == np.size(given[each.name]):
                continue
            axes = ",".join(map(str, found.shape)) or "1"
            sized[each.name] = (
                f"{each.dtype}[{axes}]{':zeros' * (each.name in self._drawing.zeroed)}"
            )
        if sized == self._drawing.fixed:
            return shape
        return replace(self._drawing, fixed=sized).write(shape.numbers)

    def _run_one(self, shape: DrawnShape) -> tuple[int, CheckFailed | bool | None]:
        """Run it with one shape; return what is wrong: True for a fault."""
        session = self._subject.session
        session.launches.clear()
        ran = self._subject.run(shape)
        if ran.outputs is None:
            return ran.status, True
        try:
            rights = list(compare_outputs(self._reference, ran.outputs))
        except NotStored as error:  # 1 element is sorted as it is
            if not self._right and self._unstored is None:
                self._unstored = error
            return ran.status, session.has_faults or None
        except CheckFailed as error:
            return error.status, error
        self._unstored = None
        self._off = max([self._off, *(each.off for each in rights)])
        return ran.status, session.has_faults or None

    def _say_wrong(self, shape: DrawnShape, status: int, failed: CheckFailed | bool) -> int:
        options = f"{self._subject.options(shape)} --args '{shape.text}'".strip()
        shown = _list_shapes(self._drawing, [shape])
        if not self._right and self._drawing.guessed:  # the arrays may be to blame
            what = fact("compared.guessed", shape=shown, options=options)
            hint = fact("compared.guessed.hint")
            return say_failure(CheckFailed(what, hint, NO_REFERENCE))
        what = fact("compared.wrong-at", shape=shown, options=options)
        if failed is True:
            what = fact("compared.fault-at", shape=shown, options=options)
        say(what)
        if isinstance(failed, CheckFailed):
            status = say_failure(failed)
        if self._right:
            shapes = _list_shapes(self._drawing, self._right)
            say(fact("compared.right-before", shapes=shapes))
        say_indices(self._subject, shape.text)
        say(fact("compared.restrict"))
        return status

    def _say_right(self) -> None:
        file, shapes = self._reference.file.name, _list_shapes(self._drawing, self._right)
        n, off = len(self._right), self._off
        what = fact("compared.right-for", n=n, shapes=shapes, file=file)
        if off.error:
            what = fact("compared.near-for", n=n, shapes=shapes, file=file, **off.fields())
        say(what)
        for shape, refusal in self._refused[:1]:
            n, shown = len(self._refused), _list_shapes(self._drawing, [shape])
            say(fact("compared.skipped", n=n, shape=shown, why=refusal.what))
        if arrays := self._drawing.describe():
            say(fact("compared.drawn", arrays=arrays))


def _list_shapes(drawing: Drawing, shapes: Sequence[DrawnShape]) -> str:
    """Write shapes: `N = 1, 2, 31`, or `(M, N) = (1, 1), (37, 1)`."""
    names = drawing.numbers or tuple(shapes[0].numbers)
    rows = [[str(shape.numbers[name]) for name in names] for shape in shapes]
    if len(names) == 1:
        return f"{names[0]} = {', '.join(row[0] for row in rows)}"
    tuples = (f"({', '.join(row)})" for row in rows)
    return f"({', '.join(names)}) = {', '.join(tuples)}"
