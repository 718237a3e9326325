"""Which sentence rests on which figure, and whether it says what was found."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.claims.figures import ARBITRATION, Figure

SAID = Path(__file__).parents[3] / "tests" / "data" / "measured"
_VARY = (
    "ms", "us", "cycles", "times", "GB/s", "G/s", "MHz", "TFLOP/s", "per cycle",
    "words", "copies", "%", "warps", ARBITRATION,
)  # fmt: skip
"""Units of what differs from run to run."""
_NEAR = 0.03
"""Of these, and of ratios: two runs on one device, and the rounding of a text."""


@dataclass(frozen=True, slots=True)
class Said:
    """One figure of one text.

    Attributes:
        where: a question's id; or a document, with the number of a row where it has such.
        key: the figure's.
        over: of a ratio the key of what it is divided by; else empty.
        says: the figure as the text has it, as a plain number, or the text that was found.
        en: words of the English text that say so; empty where the text rests on it unsaid.
        zh: of the Chinese one.
    """

    where: str
    key: str
    over: str
    says: str
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of a text beside what was found.

    Attributes:
        found: empty where nothing was.
    """

    said: Said
    found: str
    agree: bool


def sayings(folder: Path = SAID) -> list[Said]:
    """Read the rows of every file in the folder."""
    return [one for path in sorted(folder.glob("*.csv")) for one in _rows(path)]


def _rows(path: Path) -> Iterator[Said]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from (Said(**row) for row in csv.DictReader(file))


def compare(said: Iterable[Said], figures: Mapping[str, Figure]) -> Iterator[Compared]:
    """Each row beside the figure that it refers to."""
    for one in said:
        figure, over = figures.get(one.key), figures.get(one.over)
        if figure is None or (one.over and over is None):
            yield Compared(one, "", agree=False)
        elif over is not None:
            ratio = float(figure.value) / float(over.value)
            yield Compared(one, f"{ratio:.3f}", agree=_near(ratio, one.says))
        elif figure.unit in _VARY:
            near = _near(float(figure.value), one.says)
            yield Compared(one, f"{float(figure.value):.4g}", agree=near)
        else:
            yield Compared(one, figure.value, agree=figure.value == one.says)


def table(rows: Iterable[Compared]) -> Iterator[str]:
    """A line for each figure that texts refer to: where, what was found, what is said."""
    together: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        key = f"{row.said.key} ÷ {row.said.over}" if row.said.over else row.said.key
        line = (key, row.found or "not found", row.said.says, "agree" if row.agree else "DIFFER")
        together.setdefault(line, []).append(row.said.where)
    for (key, found, says, agree), places in together.items():
        where = ", ".join(dict.fromkeys(places))
        yield f"{agree:<7} {key}\n        found {found}, said {says}: {where}"


def count(rows: Iterable[Compared]) -> Iterator[str]:
    """A line for each experiment: how many figures of how many texts are its."""
    places: dict[str, list[str]] = {}
    for row in rows:
        places.setdefault(row.said.key.partition(" | ")[0], []).append(row.said.where)
    for experiment, where in sorted(places.items()):
        figures, texts = _many(len(where), "figure"), _many(len(set(where)), "text")
        yield f"{experiment:<20} {figures:>10} in {texts}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _near(found: float, says: str) -> bool:
    return abs(found - float(says)) <= _NEAR * float(says)
