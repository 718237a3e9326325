"""Source lines with what the emulator counted on them: a table as lines of styled spans.

It marks the worst line for shared memory, the worst for global memory, and every line that costs at
least twice the ideal. Computes nothing that was not counted; knows no screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import StringIO
from itertools import groupby
from textwrap import dedent
from tokenize import COMMENT, TokenError, generate_tokens
from typing import TYPE_CHECKING, Any

from grader.banks import LANES
from grader.profiles import Space, total
from quizapp.report.lines import Line, Role
from quizapp.system.width import columns

if TYPE_CHECKING:
    from quizapp.report.words import Words

HEAD = ("counts.shared", "counts.waves", "counts.ideal", "counts.sectors", "counts.active")
"""The columns of figures, as the catalogue names them."""
PROFILE_HEAD = (*HEAD[:-1], "counts.products", "counts.instructions", HEAD[-1])
"""Those of `quiz profile`, which has more room."""
MARK = " ! "
_ALWAYS = "counts.active"
_SPARE = ("counts.instructions", "counts.active", "counts.shared", "counts.ideal")
"""Columns that are left out first where there is little room."""
_NONE = "–"
_LEAST_SOURCE, _LEAST_WHOLE = 16, 32
_BREAKS = " ,(["
"""After these a source line is continued below."""
_WORTH = 1.25
"""Sectors for each ideal one that are not worth a mark: a row that begins within a sector."""
_COSTLY = 2
"""Wavefronts or sectors for each ideal one from which any line is marked."""


@dataclass
class Row:
    """A source line with what was counted on it.

    Attributes:
        file: "" for the kernel's own.
        library: True if it calls a header of ours, whose conflicts are not the line's.
    """

    file: str
    line: int
    source: str
    library: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    marks: list[str] = field(default_factory=list)

    @property
    def mark(self) -> str:
        """What is costly about it; "" if nothing is."""
        return ", ".join(self.marks)

    @property
    def conflicts(self) -> int:
        """Conflicts of loads, stores and atomics on shared memory that are the line's own."""
        return 0 if self.library else self._sum("shared", "conflicts")

    @property
    def sectors(self) -> int:
        """Global sectors."""
        return self._sum("global", "sectors")

    @property
    def spare(self) -> int:
        """Sectors beyond the ideal."""
        return self.sectors - self._sum("global", "ideal_sectors")

    @property
    def conflict_ratio(self) -> float:
        """Wavefronts for each ideal one."""
        return self._sum("shared", "wavefronts") / max(1, self._sum("shared", "ideal"))

    @property
    def sector_ratio(self) -> float:
        """Sectors for each ideal one."""
        return self.sectors / max(1, self._sum("global", "ideal_sectors"))

    def cells(self) -> Mapping[str, str]:
        """Write the figures, by the names of `PROFILE_HEAD`."""
        shared, waves, ideal = (
            self._sum("shared", what) for what in ("requests", "wavefronts", "ideal")
        )
        warps = self.counts["instructions"]
        return {
            "counts.shared": _figure(shared),
            "counts.waves": str(waves) if shared else _NONE,
            "counts.ideal": str(ideal) if shared else _NONE,
            "counts.sectors": _figure(self.sectors),
            "counts.products": _figure(self.counts["tensor_products"]),
            "counts.instructions": _figure(warps),
            _ALWAYS: f"{100 * self.counts['lanes'] / (LANES * warps):.0f}%" if warps else _NONE,
        }

    def ways(self, say: Words) -> str:
        """Say how many times the ideal wavefronts it takes."""
        return say("banks.ways", count=write_ratio(self.conflict_ratio))

    def excess(self, say: Words) -> str:
        """Say how many times the ideal sectors it touches."""
        return say("counts.excess", ratio=write_ratio(self.sector_ratio))

    def _sum(self, space: Space, what: str) -> int:
        return total(self.counts, space, what)


def rows(lines: Iterable[Mapping[str, Any]], counters: Iterable[str], say: Words) -> list[Row]:
    """Collect the lines of one file, the worst marked.

    `lines`: maps with `line`, `source`, perhaps `file` and `library`, and counters.
    """
    names = tuple(counters)
    made: dict[tuple[str, int], Row] = {}
    for line in lines:
        place = line.get("file", ""), line["line"]
        row = made.setdefault(place, Row(*place, line["source"]))
        row.library |= line.get("library", False)
        row.counts.update({name: line[name] for name in names if name in line})
    found = [made[place] for place in sorted(made)]
    worst = max(found, key=lambda row: row.conflicts, default=None)
    widest = max(found, key=lambda row: row.spare, default=None)
    for row in found:
        if row.conflicts and (row is worst or row.conflict_ratio >= _COSTLY):
            row.marks.append(row.ways(say))
        if row.sector_ratio >= _COSTLY or (row is widest and row.sector_ratio > _WORTH):
            row.marks.append(row.excess(say))
    return found


def table(
    found: Sequence[Row], room: int, say: Words, *, head: Sequence[str] = HEAD, whole: bool = False
) -> list[list[Line]]:
    """Draw a head, then the lines of every row.

    `found`: the rows; there is one at least. `head`: the columns of figures. `whole`: sources are
    continued in further lines; else they are cut to fit.
    """
    line = say("kernel.line")
    sources = [
        text for _, same in groupby(found, lambda row: row.file) for text in _sources(list(same))
    ]
    cells = [row.cells() for row in found]
    columns_of = [(key, *(figures[key] for figures in cells)) for key in head]
    used = [column for column in columns_of if column[0] == _ALWAYS or set(column[1:]) != {_NONE}]
    marks = max(columns(row.mark) for row in found)
    number = max(4, *(len(str(row.line)) for row in found))
    space = room - len(MARK) - number - 2 - (2 + marks if marks else 0)
    fitting = _fit(used, space - (_LEAST_WHOLE if whole else _LEAST_SOURCE), say)
    titles, *cells_of = zip(*((say(key), *figures) for key, *figures in fitting), strict=True)
    widths = [max(map(columns, (say(key), *figures))) for key, *figures in fitting]
    left = space - sum(widths) - 2 * len(widths)
    width = max(_LEAST_SOURCE, min(left, max(map(columns, sources))))
    lead = " " * (len(MARK) + number - columns(line)) + line + " " * (2 + width)
    drawn: list[list[Line]] = [[((lead + _join(titles, widths), "dim"),)]]
    for row, source, figures in zip(found, sources, cells_of, strict=True):
        sign = MARK if row.mark else " " * len(MARK)
        role: Role = "conflict" if row.mark else "text"
        shown = source if columns(source) <= width else _without_comment(source)
        first, *more = _pieces(shown, width) if whole else [shown]
        text = f"{row.line:>{number}}  {cut(first, width)}{_join(figures, widths)}"
        margin = " " * (len(MARK) + number + 2)
        drawn.append(
            [_row(sign, text, row.mark, role), *(((margin + piece, "text"),) for piece in more)]
        )
    return drawn


def _fit(used: Sequence[tuple[str, ...]], room: int, say: Words) -> Sequence[tuple[str, ...]]:
    """Leave out the columns that say least until the others fit beside the source."""
    for spare in _SPARE:
        needed = sum(2 + max(map(columns, (say(key), *cells))) for key, *cells in used)
        if needed > room:
            used = [column for column in used if column[0] != spare]
    return used


def sizes(three: Sequence[int]) -> str:
    """Write a grid or a block along x, y, z, without trailing ones: `8×4`."""
    x, y, z = three
    shown = (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)
    return "×".join(map(str, shown))


def _row(sign: str, text: str, mark: str, role: Role) -> Line:
    tail = f"  {mark}" if mark else ""
    return ((sign, role), (text, "text"), (tail, role))


def _sources(same: Sequence[Row]) -> list[str]:
    """Collect the lines of one file, without the space that all of them begin with."""
    return dedent("\n".join(row.source.expandtabs(4) for row in same)).split("\n")


def _join(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(
        " " * (2 + width - columns(cell)) + cell for cell, width in zip(cells, widths, strict=True)
    )


def _without_comment(source: str) -> str:
    """Leave out the comment that ends a line, and the space before it."""
    code = source.lstrip()
    with suppress(TokenError, SyntaxError):  # a line of a statement of several, or of a string
        for token in generate_tokens(StringIO(code).readline):
            if token.type == COMMENT and token.start[1]:
                return source[: len(source) - len(code) + token.start[1]].rstrip()
    return source


def _pieces(source: str, width: int) -> Iterator[str]:
    """Split a source line into pieces of so many columns, if possible after a space or a sign."""
    indent = " " * min(len(source) - len(source.lstrip()) + 4, width // 2)
    while columns(source) > width:
        fits = next(n for n in range(len(source), 0, -1) if columns(source[:n]) <= width)
        ends = [at + 1 for at in range(fits // 2, fits) if source[at] in _BREAKS]
        at = max(ends, default=fits)
        yield source[:at].rstrip()
        source = indent + source[at:].lstrip()
    yield source


def cut(text: str, width: int) -> str:
    """Cut a text to this many columns, or fill it to them."""
    if columns(text) > width:
        while columns(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - columns(text))


def _figure(number: int) -> str:
    return str(number) if number else _NONE


def write_ratio(value: float) -> str:
    """Write a ratio with one decimal if it is not an integer: 32, 16.5."""
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"
