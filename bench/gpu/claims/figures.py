"""What one experiment found: a figure, or a short text such as the instructions of a kernel."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

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
    with path.open("w", encoding="utf-8", newline="") as file:
        names = [one.name for one in fields(Figure)]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in figures)


def load(path: Path = RECORDED) -> dict[str, Figure]:
    """The figures of a file, by their keys."""
    with path.open(encoding="utf-8", newline="") as file:
        figures = [Figure(**row) for row in csv.DictReader(file)]
    return {one.key: one for one in figures}
