"""A question that was found in a file: the value that compiling passes on, with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quizapp.deck.index import SourceFile
from quizapp.deck.problems import Problem
from quizapp.deck.validate import Invalid
from quizapp.deck.yaml_reader import Document, Path
from quizapp.domain.question import AnyQuestion


@dataclass(frozen=True, slots=True)
class Source:
    """Where a question stands: its file, the document and the path of its mapping in it."""

    file: SourceFile
    document: Document
    path: Path

    def problem(self, invalid: Invalid, question: str = "") -> Problem:
        """A fault of the question as a problem with its position."""
        line, column = self.document.locate((*self.path, *invalid.path), key=invalid.at_key)
        name = f"{self.file.root}/{self.file.path}"
        return Problem(name, line, column, invalid.what, invalid.todo, question)


@dataclass(frozen=True, slots=True)
class Found:
    """A valid question, where it stands, and whether it overlays one of an earlier root."""

    id: str
    question: AnyQuestion
    source: Source
    overlays: bool = False

    def canonical(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names as this question means them, with their packs."""
        return tuple(canonical(name, self.source.file.pack) for name in names)


def canonical(name: str, pack: str) -> str:
    """`pack/id` for a name that may leave the pack out."""
    return name if "/" in name else f"{pack}/{name}"
