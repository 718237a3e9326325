"""Where a question is, and how a fault of it becomes a problem with a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quizapp.deck.index import SourceFile
from quizapp.deck.problems import ContentProblem
from quizapp.deck.yaml_reader import Document, FieldPath
from quizapp.domain.question import AnyQuestion
from quizapp.exercises.faults import FieldFault


@dataclass(frozen=True, slots=True)
class QuestionLocation:
    """Where a question is: its file, the document and the path of its mapping in it."""

    file: SourceFile
    document: Document
    path: FieldPath

    def problem(self, fault: FieldFault, question: str = "") -> ContentProblem:
        """Turn a fault of the question into a problem with its position."""
        name = f"{self.file.root}/{self.file.path}"
        inside = (*self.path, *fault.path)
        if fault.at is not None and not self.document.holds(inside):  # else YAML has the code
            python = f"{name.rpartition('/')[0]}/{fault.at.file}"
            position = fault.at.line or 1, fault.at.column or 1
            return ContentProblem(python, *position, fault.what, fault.hint, question)
        line, column = self.document.locate(inside, key=fault.at_key)
        return ContentProblem(name, line, column, fault.located_fact, fault.hint, question)


@dataclass(frozen=True, slots=True)
class LocatedQuestion:
    """A valid question, where it is, and whether it overlays one of an earlier root.

    `line` is where it begins, 1-based. `digest` and `listed` are as in `index.Entry`.
    """

    id: str
    question: AnyQuestion
    source: QuestionLocation
    line: int
    overlays: bool = False
    digest: str = ""
    listed: int = 0

    @property
    def file(self) -> str:
        """The file it stands in."""
        return f"{self.source.file.root}/{self.source.file.path}"

    def canonical(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names as this question means them, with their packs."""
        return tuple(canonical(name, self.source.file.pack) for name in names)


def canonical(name: str, pack: str) -> str:
    """Return `pack/id` for a name that may omit the pack."""
    return name if "/" in name else f"{pack}/{name}"
