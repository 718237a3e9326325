"""What was counted on one source line, or on all: a column for each kind of access.

Styled lines; knows no screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from grader.banks import LANES
from grader.kernels import RunReport
from grader.profiles import total
from quizapp.report.bankmap import heat
from quizapp.report.lines import Line, Span
from quizapp.report.words import Words
from quizapp.system.width import columns

_ACCESSES = {
    "shared_load": "kernel.load", "shared_store": "kernel.store", "shared_atomic": "kernel.atom",
    "global_load": "counts.global-load", "global_store": "counts.global-store",
    "global_atomic": "counts.global-atomic", "remote_load": "counts.remote-load",
    "remote_store": "counts.remote-store", "remote_atomic": "counts.remote-atomic",
    "local_load": "counts.local-load", "local_store": "counts.local-store",
}  # fmt: skip
_ROWS = (
    "counts.requests",
    "counts.wavefronts",
    "counts.touched-sectors",
    "counts.ideal",
    "counts.excessive",
)
_NONE = "–"
_GAP = 2


def has_accesses(counts: Mapping[str, int]) -> bool:
    """Return True if memory was accessed there."""
    return any(counts.get(f"{name}_requests") for name in _ACCESSES)


def table(counts: Mapping[str, int], room: int, say: Words) -> Iterator[Line]:
    """Draw the figures; where the columns do not fit, several tables below each other."""
    names = [name for name in _ACCESSES if counts.get(f"{name}_requests")]
    heads = [say(key) for key in _ROWS]
    label = max(map(columns, heads)) if names else 0
    for part in _fit(names, room - label, say):
        yield from _part(counts, part, label, say)
    if warps := counts.get("instructions", 0):
        share = f"{100 * counts.get('lanes', 0) / (LANES * warps):.0f}%"
        yield ((say("inspect.active", share=share), "text"),)


def _figures(counts: Mapping[str, int], name: str) -> tuple[int | None, ...]:
    """Return the figures of one kind of access, as `_ROWS` names them."""

    def count(what: str) -> int:
        return counts.get(f"{name}_{what}", 0)

    if name.startswith("shared"):
        used, ideal = count("wavefronts"), count("ideal")
        return count("requests"), used, None, ideal, used - ideal
    if name.startswith("global"):
        used, ideal = count("sectors"), count("ideal_sectors")
        return count("requests"), None, used, ideal, used - ideal
    sectors = count("sectors") if name.startswith("remote") else None
    return count("requests"), None, sectors, None, None


def _fit(names: Sequence[str], room: int, say: Words) -> Iterator[Sequence[str]]:
    """Split the columns so that each part fits; one column always does."""
    part: list[str] = []
    for name in names:
        needed = sum(_GAP + columns(say(_ACCESSES[other])) for other in (*part, name))
        if part and needed > room:
            yield part
            part = []
        part.append(name)
    if part:
        yield part


def _part(
    counts: Mapping[str, int], names: Sequence[str], label: int, say: Words
) -> Iterator[Line]:
    heads = [say(_ACCESSES[name]) for name in names]
    figures = [_figures(counts, name) for name in names]
    yield ((" " * label + "".join(" " * _GAP + head for head in heads), "dim"),)
    for place, key in enumerate(_ROWS):
        row = [column[place] for column in figures]
        if any(figure is not None for figure in row):
            head = say(key)
            spans: list[Span] = [(head + " " * (label - columns(head)), "dim")]
            for title, figure, name in zip(heads, row, names, strict=True):
                spans.append(_cell(figure, columns(title), counts, name, key))
            yield tuple(spans)


def _cell(figure: int | None, width: int, counts: Mapping[str, int], name: str, key: str) -> Span:
    """Draw a figure; excess is as hot as it is bad."""
    text = _NONE if figure is None else f"{figure:,}"
    shown = " " * _GAP + text.rjust(width)
    if key != _ROWS[-1] or not figure or not name.startswith("shared"):
        return shown, "text"
    ideal = max(1, counts.get(f"{name}_ideal", 0))
    return shown, heat(round(counts.get(f"{name}_wavefronts", 0) / ideal)) or "text"


def worst_line(run: RunReport, space: Literal["shared", "global"]) -> int:
    """Return the line with the most wavefronts or sectors beyond the ideal; 0 if there is none."""
    used, ideal = ("wavefronts", "ideal") if space == "shared" else ("sectors", "ideal_sectors")
    excess = {
        line: total(counts, space, used) - total(counts, space, ideal)
        for line, counts in run.counts.items()
    }
    line = max(excess, key=lambda line: excess[line], default=0)
    return line if excess.get(line, 0) > 0 else 0
