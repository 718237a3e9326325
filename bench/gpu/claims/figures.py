"""What one experiment found: a figure, or a short text such as the instructions of a kernel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.rows import load_rows, save_rows

RECORDED = Path(__file__).parents[3] / "tests" / "data" / "h200_claims.csv"

ARBITRATION = "with arbitration"
"""Unit of a counter that also holds what warps of a large grid did to one another. It varies."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was found.

    Attributes:
        experiment: which one found it: a program of `cuda/`, or a module here.
        case: what was launched.
        what: which figure of it.
        value: a number, or a text.
        unit: of a number that has one.
    """

    experiment: str
    case: str
    what: str
    value: str
    unit: str = ""

    @property
    def key(self) -> str:
        """What a sentence refers to it by."""
        return f"{self.experiment} | {self.case} | {self.what}"


def save(path: Path, figures: Iterable[Figure]) -> None:
    """Write them as a CSV."""
    save_rows(path, Figure, figures)


def load(path: Path = RECORDED) -> dict[str, Figure]:
    """The figures of a file, by their keys."""
    return {one.key: one for one in load_rows(path, Figure)}
