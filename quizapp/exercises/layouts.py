"""An `index` question as the grader sees it, and what the grader says of a submission."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.banks import InvalidAccess, architecture
from grader.layouts import (
    Block,
    Exercise,
    Grade,
    InvalidExercise,
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
from quizapp.exercises.errors import BadExercise

_SIZES = 3


@dataclass(frozen=True, eq=False)
class Checked:
    """A submission with its verdict.

    `mistake` is the listed wrong solution that places every element as this one does.
    """

    source: str
    grade: Grade
    exercise: Exercise
    mistake: WrongSolution | None

    @property
    def passed(self) -> bool:
        """Whether every gate was."""
        return self.grade.verdict.passed

    @property
    def gate(self) -> str:
        """The key of the first gate that was not passed; empty if all were."""
        return self.grade.verdict.failed_at


def exercise(question: Index) -> Exercise:
    """Tile and accesses of the question.

    Raises:
        BadExercise: they cannot be.
    """
    shape = question.tile
    try:
        tile = Tile(
            shape.rows, shape.columns, shape.element, shape.pitch, shape.storage, shape.base
        )
    except InvalidExercise as error:
        raise BadExercise(("tile",), str(error), "change the tile") from None
    try:
        architecture(question.arch)
    except InvalidAccess as error:
        raise BadExercise(("arch",), str(error), "name one of these") from None
    accesses = tuple(
        _access(access, tile, question, i) for i, access in enumerate(question.accesses)
    )
    for i, made in enumerate(accesses):
        if made.active is not None and not made.active.any():
            raise BadExercise(("accesses", i), "no thread takes part", "change `where:`")
    try:
        return Exercise(tile, accesses, question.constants, question.arch)
    except InvalidExercise as error:
        raise BadExercise(("accesses",), str(error), "change the access") from None


def check(question: Index, source: str) -> Checked:
    """The verdict on what a person wrote. Nothing of it is executed.

    Raises:
        BadExercise: the question itself is wrong.
    """
    asked = exercise(question)
    found = grade(source, asked)
    return Checked(source, found, asked, _mistake(question, asked, found))


def _mistake(question: Index, asked: Exercise, found: Grade) -> WrongSolution | None:
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
        todo = "give `along:`, or all of `block:`, `row:` and `column:`"
        raise BadExercise(path, "it is not said which elements are meant", todo)
    if access.along and (access.where or access.steps != 1):
        raise BadExercise(path, "`where:` and `steps:` belong to a `block:`", "leave them out")
    if access.along == "matrix" and access.elements != 1:
        raise BadExercise(path, "matrix rows have their own width", "leave out `elements:`")
    if access.along and tile.columns % access.elements:
        what = f"a row of {tile.columns} is not made of {access.elements} at a time"
        raise BadExercise(path, what, "change `elements:`, or the tile")
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
        raise BadExercise(path, str(error), "change the access") from None


def _block(access: LayoutAccess) -> Block:
    sizes = access.block or (1,)
    return Block(*sizes, *[1] * (_SIZES - len(sizes)))
