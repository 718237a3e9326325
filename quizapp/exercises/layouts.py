"""An `index` question as the grader sees it, and what the grader says of a submission."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from grader.banks import IntArray, InvalidAccess, architecture
from grader.facts import fact
from grader.layouts import (
    Block,
    Exercise,
    InvalidExercise,
    LayoutGrade,
    Tile,
    TileAccess,
    along_columns,
    along_rows,
    by_block,
    grade,
    matrix_rows,
)
from quizapp.domain.exercise import LayoutAccess
from quizapp.domain.question import Index, WrongSolution
from quizapp.domain.starters import is_starter
from quizapp.exercises.failures import describe
from quizapp.exercises.faults import BadExercise

_SIZES = 3


@dataclass(frozen=True, eq=False)
class CheckedLayout:
    """A submission with its verdict.

    `mistake` is the listed wrong solution that places every element as this one does; `unchanged`
    is true of the starter; `tells_cures` is whether what would mend it may be shown.
    """

    source: str
    grade: LayoutGrade
    exercise: Exercise
    mistake: WrongSolution | None
    unchanged: bool = False
    tells_cures: bool = True

    @property
    def passed(self) -> bool:
        """True if every gate passed."""
        return self.grade.verdict.passed

    @property
    def gate(self) -> str:
        """The key of the first gate that failed; empty if all passed."""
        return self.grade.verdict.failed_at

    @property
    def ran(self) -> bool:
        """False if it does not count as an attempt: refused, or the starter unchanged."""
        return self.grade.verdict.ran and not self.unchanged

    def without_cures(self) -> Self:
        """Return it with the same verdict, to be shown without what would mend it."""
        return replace(self, tells_cures=False)


def exercise(question: Index) -> Exercise:
    """Return tile and accesses of the question. Raises BadExercise: they cannot be."""
    shape = question.tile
    try:
        tile = Tile(
            shape.rows, shape.columns, shape.element, shape.pitch, shape.storage, shape.base
        )
    except InvalidExercise as error:
        raise BadExercise(("tile",), fact("layout-question.tile", reason=error.what)) from None
    try:
        architecture(question.arch)
    except InvalidAccess as error:
        raise BadExercise(("arch",), fact("layout-question.arch", reason=error.what)) from None
    accesses = tuple(
        _access(access, tile, question, i) for i, access in enumerate(question.accesses)
    )
    for i, made in enumerate(accesses):
        if made.active is not None and not made.active.any():
            raise BadExercise(("accesses", i), fact("layout-question.no-thread"))
    try:
        asked = Exercise(tile, accesses, question.constants, question.arch)
    except InvalidExercise as error:
        what = fact("layout-question.access", reason=error.what)
        raise BadExercise(("accesses",), what) from None
    if question.equals is None:
        return asked
    return replace(asked, equals=_place_elements(question.equals, asked))


def check(question: Index, source: str) -> CheckedLayout:
    """Grade what a person wrote. Nothing of it is executed.

    Raises BadExercise: the question itself is wrong.
    """
    asked = exercise(question)
    found = grade(source, asked)
    unchanged = is_starter(source, question.starter)
    return CheckedLayout(source, found, asked, _mistake(question, asked, found), unchanged)


def _place_elements(source: str, made: Exercise) -> IntArray:
    """Compute the slot of every element, as the question's `equals` says, (elements,)."""
    found = grade(source, made)
    if found.slots is None:
        raise BadExercise(
            ("equals",), fact("layout-question.equals", reason=describe(found.verdict))
        )
    return found.slots.ravel()


def _mistake(question: Index, asked: Exercise, found: LayoutGrade) -> WrongSolution | None:
    if found.verdict.passed or found.placed is None:
        return None
    for wrong in question.wrong:
        if not found.verdict.fails_at(wrong.fails):
            continue
        placed = grade(wrong.source, asked).placed
        if placed is not None and np.array_equal(placed, found.placed):
            return wrong
    return None


def _access(access: LayoutAccess, tile: Tile, question: Index, position: int) -> TileAccess:
    path = ("accesses", position)
    kind, elements, allowed = access.op, access.elements, access.allowed
    places = [access.block, access.row, access.column]
    if (access.along is None) == (None in places) or (access.along and any(places)):
        raise BadExercise(path, fact("layout-question.which-elements"))
    if access.along and (access.where or access.steps != 1):
        raise BadExercise(path, fact("layout-question.needs-block"))
    if access.along == "matrix" and access.elements != 1:
        raise BadExercise(path, fact("layout-question.matrix-width"))
    if access.along and tile.columns % access.elements:
        what = fact("layout-question.row", columns=tile.columns, elements=access.elements)
        raise BadExercise(path, what)
    try:
        match access.along:
            case "rows":
                return along_rows(access.name, kind, tile, elements=elements, allowed=allowed)
            case "columns":
                return along_columns(access.name, kind, tile, elements=elements, allowed=allowed)
            case "matrix":
                return matrix_rows(access.name, tile, kind=kind, allowed=allowed)
            case None:
                return by_block(
                    access.name, kind, _block(access), row=access.row or "",
                    column=access.column or "", where=access.where or "1", steps=access.steps,
                    elements=elements, allowed=allowed, constants=question.constants,
                )  # fmt: skip
    except InvalidExercise as error:
        raise BadExercise(path, fact("layout-question.access", reason=error.what)) from None


def _block(access: LayoutAccess) -> Block:
    sizes = access.block or (1,)
    return Block(*sizes, *[1] * (_SIZES - len(sizes)))
