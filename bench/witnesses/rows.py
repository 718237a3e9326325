"""The rows of tests/data/witnesses.csv: what each witness says of a kernel question."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from bench.gpu.cuda.programs import kernel_questions
from quizapp.domain.question import Kernel

RECORDED = Path(__file__).parents[2] / "tests" / "data" / "witnesses.csv"
PREDICATED = "predicated"
"""In a note: instructions that only some threads execute, without a jump."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one question; an empty text is a witness that does not say.

    Attributes:
        source: the emulator's count.
        sass: instructions in the machine code, or registers and bytes.
        ncu: what Nsight Compute counted.
        clock: what was measured on the H200, at the timed shape.
        note: instructions that access 8 or 16 bytes per lane, and how many are predicated.
        why: why source and ncu differ, where a person found out.
    """

    question: str
    what: str
    source: str = ""
    sass: str = ""
    ncu: str = ""
    clock: str = ""
    note: str = ""
    why: str = ""


def questions() -> list[Kernel]:
    """Return those whose solution Numba compiles."""
    return [one for one, _ in kernel_questions() if one.solution is not None and one.triton is None]


def save(rows: Sequence[Row], path: Path = RECORDED) -> None:
    """Write rows as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))


def load(path: Path = RECORDED) -> list[Row]:
    """Read them."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]
