"""Records of a GPU as CSV files: a line for each dataclass of texts and whole numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def load_rows(path: Path, kind: type[Row]) -> list[Row]:
    """Read the rows of a file, all of one kind, whose annotations are not evaluated."""
    whole = {each.name for each in fields(kind) if each.type == "int"}
    with path.open(encoding="utf-8", newline="") as file:
        return [
            kind(**{name: int(cell) if name in whole else cell for name, cell in row.items()})
            for row in csv.DictReader(file)
        ]


def save_rows(path: Path, kind: type[Row], rows: Iterable[Row]) -> None:
    """Write rows of one kind."""
    with path.open("w", encoding="utf-8", newline="") as file:
        names = [each.name for each in fields(kind)]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))
