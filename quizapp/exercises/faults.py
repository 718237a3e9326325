"""What can be wrong with an exercise itself: the author's to fix, not the person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from grader.facts import Fact, fact

FieldPath = tuple[str | int, ...]
"""Where in a question, by keys and positions: `("access", "index")`."""


class CodePosition(NamedTuple):
    """A position in a Python file of a question; 1-based, or 0 where it is not known."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """The position as editors understand it, as far as it is known."""
        return ":".join(map(str, filter(None, self)))


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One fault of a question.

    Attributes:
        path: from the question's root.
        what: the fault.
        hint: what to do about it; None where the catalogue has advice for the fault's code.
        at_key: True if the fault is the key's, not the value's.
        at: the position in a Python file of the question, where the fault is in its text.
    """

    path: FieldPath
    what: Fact
    hint: Fact | None = None
    at_key: bool = False
    at: CodePosition | None = None

    @property
    def located_fact(self) -> Fact:
        """The fault with its position in a Python file, where it has one."""
        return fact("exercise.at", at=str(self.at), what=self.what) if self.at else self.what


class BadExercise(ValueError):
    """Something of the question cannot be computed; `fault` says what and where."""

    def __init__(
        self, path: FieldPath, what: Fact, hint: Fact | None = None, at: CodePosition | None = None
    ) -> None:
        super().__init__(what)
        self.fault = FieldFault(path, what, hint, at=at)
