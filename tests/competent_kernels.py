"""Right kernels that differ from the shipped solutions, as competent people write them.

`tests/data/competent/QUESTION--NAME.py`. The emulator passes each, and so must a GPU's gates, but
for those in `SLOW`: what they cost is what the question is about.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "data" / "competent"


class Competent(NamedTuple):
    """A submission: the question's folder, what is different about it, and its text."""

    question: str
    name: str
    source: str

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
COMPETENT = tuple(
    Competent(*path.stem.split("--"), path.read_text("utf-8"))
    for path in sorted(_FOLDER.glob("*.py"))
)
