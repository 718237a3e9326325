"""The recorded runs as a CSV: which text ran, how it was compiled, what it took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.rows import load_rows, save_rows

RECORDED = Path(__file__).parents[3] / "tests" / "data" / "cuda_solutions.csv"


@dataclass(frozen=True, slots=True)
class Row:
    """One `.cu` file that was right at every shape of its question.

    Attributes:
        question: the question's id.
        file: `solution.cu` or `baseline.cu`.
        sha256: of the file.
        options: what NVRTC was given, without the folder of the headers.
        shapes: at how many shapes its outputs equal the reference's, the timed one included.
        cuda_ms: median time at the timed shape, milliseconds; empty if the question has none.
        numba_ms: of the question's own Numba solution (`solution.py`), taken in alternation.
        baseline_ms: of the question's `baseline.py`, likewise.
        registers: per thread.
        shared: bytes of static shared memory of a block.
    """

    question: str
    file: str
    sha256: str
    device: str
    nvrtc: str
    options: str
    shapes: str
    cuda_ms: str
    numba_ms: str
    baseline_ms: str
    registers: str
    shared: str

    @property
    def key(self) -> tuple[str, str]:
        """What a later run replaces it by."""
        return self.question, self.file


def save(path: Path, rows: Iterable[Row]) -> None:
    """Write rows in the order of their keys."""
    save_rows(path, Row, sorted(rows, key=lambda row: row.key))


def load(path: Path = RECORDED) -> list[Row]:
    """Read the rows of a file."""
    return load_rows(path, Row)
