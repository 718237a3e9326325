"""Right kernels that differ from the shipped solutions, as competent people write them.

`tests/data/competent/QUESTION--NAME.py`, or `.cu`. The emulator passes each. So must a GPU's gates
those in Python, but for what is in `SLOW`: what they cost is what the question is about.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from quizapp.domain.languages import ENDINGS
from quizapp.domain.question import CodeLanguage

_FOLDER = Path(__file__).parent / "data" / "competent"


class Competent(NamedTuple):
    """A submission: the question's folder, what is different about it, its text and language."""

    question: str
    name: str
    source: str
    language: CodeLanguage

    @property
    def id(self) -> str:
        """As the file is called."""
        return f"{self.question}--{self.name}"


SLOW = frozenset(
    {
        "cross-entropy--in-step",
        "gemm-b-transposed--xor",
        "merge-path--ranks",
        "sort-bitonic--least-and-largest",
    }
)
"""Right, and too slow for the question's gate."""


def _read(language: CodeLanguage) -> tuple[Competent, ...]:
    paths = sorted(_FOLDER.glob(f"*{ENDINGS[language]}"))
    return tuple(
        Competent(*one.stem.split("--"), one.read_text("utf-8"), language) for one in paths
    )


COMPETENT = _read("python")
COMPETENT_CUDA = _read("cuda")
