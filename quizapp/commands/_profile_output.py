"""How `quiz profile` shows launches: a table of source lines and the findings, or plain data.

The keys are promised in docs/cli.md. Computes nothing that the emulator has not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from typing import Any

from grader.simt.counters import COUNTERS
from quizapp.commands._output import clean, counted, print_json, print_lines, room
from quizapp.commands._profile_groups import Group, grouped
from quizapp.width import columns

Plain = dict[str, Any]

_LANES = 32
_NONE = "–"
_HEAD = ("shared", "waves", "ideal", "sectors", "active")
_ALWAYS = "active"
_LEAST_SOURCE = 16
_WORTH = 1.25
"""Sectors for each ideal one that are not worth a mark: a row that begins within a sector."""


def print_as_json(launches: Sequence[Plain]) -> None:
    """All launches, with every counter."""
    print_json({"launches": [_whole(launch) for launch in launches]})


def print_launches(launches: Sequence[Plain], script: Path) -> None:
    """Each launch, those that are told together once; files are named but for the script."""
    for place, group in enumerate(grouped(launches)):
        if place:
            print()
        _print_launch(group, script)


def _whole(launch: Plain) -> Plain:
    none = dict.fromkeys(COUNTERS, 0)
    lines = [{"line": 0, "column": 0, "source": "", **none, **one} for one in launch["lines"]]
    return {**launch, "totals": {**none, **launch["totals"]}, "lines": lines}


def _print_launch(group: Group, script: Path) -> None:
    launch, times = group.launch, group.times
    grid, block = ("×".join(map(str, _short(launch[key]))) for key in ("grid", "block"))
    heading = f"{launch['kernel']}  grid {grid}, block {block}, {_time(group.seconds)}"
    heading += "" if launch["finished"] else ", not finished"
    how = "added up" if group.added else "alike"
    print(clean(heading + (f", {times:,} launches {how}" if times > 1 else "")))
    files = {"": _named(launch["file"], script)}
    for one in (*launch["lines"], *launch["findings"]):
        path = one.get("file", "")
        files.setdefault(path, _named(path, script))
    _print_rows(_rows(launch["lines"]), files)
    for finding in launch["findings"]:
        _print_finding(finding, files[finding.get("file", "")])


def _named(path: str, script: Path) -> str:
    """A file as it is called from here; "" for the script."""
    if Path(path) == script.absolute():
        return ""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


def _short(sizes: Sequence[int]) -> Sequence[int]:
    """Sizes along x, y, z, without the last that are 1."""
    x, y, z = sizes
    return (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


@dataclass
class _Row:
    """A source line with what was counted on it."""

    file: str
    line: int
    source: str
    counts: Counter[str] = field(default_factory=Counter)
    marks: list[str] = field(default_factory=list)

    @property
    def mark(self) -> str:
        return ", ".join(self.marks)

    @property
    def conflicts(self) -> int:
        return self._sum("shared", "conflicts")

    @property
    def sectors(self) -> int:
        return self._sum("global", "sectors")

    @property
    def spare(self) -> int:
        """Sectors beyond the ideal."""
        return self.sectors - self._sum("global", "ideal_sectors")

    def cells(self) -> tuple[str, ...]:
        shared, waves, ideal = (
            self._sum("shared", what) for what in ("requests", "wavefronts", "ideal")
        )
        warps = self.counts["instructions"]
        active = f"{100 * self.counts['lanes'] / (_LANES * warps):.0f} %" if warps else _NONE
        if not shared:
            return (_NONE, _NONE, _NONE, _figure(self.sectors), active)
        return (*(str(one) for one in (shared, waves, ideal)), _figure(self.sectors), active)

    def ways(self) -> str:
        ideal = self._sum("shared", "ideal")
        return f"{_ratio(self._sum('shared', 'wavefronts') / max(1, ideal))}-way"

    def excess(self) -> str:
        ideal = self._sum("global", "ideal_sectors")
        return f"{_ratio(self.sectors / max(1, ideal))}× sectors"

    def _sum(self, space: str, what: str) -> int:
        return sum(self.counts[f"{space}_{kind}_{what}"] for kind in ("load", "store", "atomic"))


def _figure(number: int) -> str:
    return str(number) if number else _NONE


def _ratio(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"  # noqa: PLR2004


def _rows(lines: Iterable[Mapping[str, Any]]) -> list[_Row]:
    """The lines of a launch, those of one file together, the worst marked."""
    rows: dict[tuple[str, int], _Row] = {}
    for one in lines:
        place = one.get("file", ""), one["line"]
        row = rows.setdefault(place, _Row(*place, one["source"]))
        row.counts.update({name: one[name] for name in COUNTERS if name in one})
    found = [rows[place] for place in sorted(rows)]
    worst = max(found, key=lambda row: row.conflicts, default=None)
    if worst is not None and worst.conflicts:
        worst.marks.append(worst.ways())
    widest = max(found, key=lambda row: row.spare, default=None)
    if widest is not None and widest.sectors > _WORTH * (widest.sectors - widest.spare):
        widest.marks.append(widest.excess())
    return found


def _print_rows(rows: Sequence[_Row], files: Mapping[str, str]) -> None:
    """A table; the lines of another file than the script stand below its name."""
    if not rows:
        return
    sources = [source for _, same in groupby(rows, _file) for source in _sources(list(same))]
    columns_of = zip(_HEAD, *(row.cells() for row in rows), strict=True)
    used = [one for one in columns_of if one[0] == _ALWAYS or set(one[1:]) != {_NONE}]
    head, *table = zip(*used, strict=True)
    widths = [max(map(len, column)) for column in used]
    figures = sum(widths) + 2 * len(widths)
    marks = max(len(row.mark) for row in rows)
    number = max(4, *(len(str(row.line)) for row in rows))
    left = room() - 3 - number - 2 - figures - (2 + marks if marks else 0)
    width = max(_LEAST_SOURCE, min(left, max(map(columns, sources))))
    print(" " * 3 + "line".rjust(number) + " " * (2 + width) + _figures(head, widths))
    before = None
    for row, source, cells in zip(rows, sources, table, strict=True):
        if row.file != before and (files[row.file] or before is not None):
            print(clean(f"   {files[row.file] or Path(row.file).name}"))
        before = row.file
        sign = " ! " if row.mark else "   "
        shown = _cut(source, width)
        text = f"{sign}{row.line:>{number}}  {shown}{_figures(cells, widths)}"
        print(f"{text}  {row.mark}".rstrip())


def _file(row: _Row) -> str:
    return row.file


def _sources(rows: Sequence[_Row]) -> list[str]:
    """Lines of one file, without the space that all of them begin with."""
    return dedent("\n".join(clean(row.source).expandtabs(4) for row in rows)).split("\n")


def _figures(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join("  " + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


def _cut(text: str, width: int) -> str:
    """A text in so many columns."""
    if columns(text) > width:
        while columns(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - columns(text))


def _print_finding(finding: Plain, file: str) -> None:
    fault = finding["kind"] != "warning"
    sign, kind, line = "✗" if fault else "!", finding["kind"], finding["line"]
    of = f" of {file}" if file else ""
    count = finding.get("count", 1)
    often = f" · {counted(count, 'case')}" if count > 1 and kind != "never-written" else ""
    where = f" · block {_tuple(finding['block'])}" if finding.get("block") else ""
    text = f" {sign} {kind} · line {line}{of}: {finding['message']}{where}{_byte(finding)}{often}"
    print_lines([((text, "conflict" if fault else "text"),)])
    if finding.get("hint"):
        print_lines([((f"   {finding['hint']}", "dim"),)])


def _byte(finding: Plain) -> str:
    """Where in memory, if the finding is about an element."""
    if finding.get("address") is None:
        return ""
    of = "shared memory" if finding["space"] == "shared" else finding["array"]
    return f" · byte {finding['address']} of {of}"


def _tuple(place: Sequence[int]) -> str:
    return f"({', '.join(map(str, place))})"
