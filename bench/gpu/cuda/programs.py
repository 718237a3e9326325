"""Finds the `.cu` files beside kernel questions, and the questions that they solve."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.domain.question import Kernel

CONTENT = Path(__file__).parents[3] / "content"
SOLUTION = "solution.cu"
FILES = (SOLUTION, "baseline.cu")


@dataclass(frozen=True)
class Program:
    """A `.cu` file and its question."""

    question: Kernel
    path: Path

    @property
    def name(self) -> str:
        """The question's folder and the file: `saxpy/solution.cu`."""
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def source(self) -> str:
        """The text of the file."""
        return self.path.read_text("utf-8")

    @property
    def sha256(self) -> str:
        """The hash of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def kernel_questions(content: Path = CONTENT) -> Iterator[tuple[Kernel, Path]]:
    """Yield every kernel question of a content folder, with its own folder."""
    folders = {path.parent for path in content.rglob(index.FOLDER_FILE)}
    deck = Deck(compile_deck(index.sources([str(content)])).compiled)
    for entry in deck.entries.values():
        question = deck.question(entry.id)
        if isinstance(question, Kernel):
            place = Path(entry.file).parts[-4:-1]
            (folder,) = (one for one in folders if one.parts[-3:] == place)
            yield question, folder


def programs(content: Path = CONTENT) -> Iterator[Program]:
    """Yield every `.cu` file of a content folder."""
    for question, folder in kernel_questions(content):
        for file in FILES:
            if (folder / file).is_file():
                yield Program(question, folder / file)
