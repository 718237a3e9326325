"""Source with its counts in the margin, as a table; each line can be linked to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from quizapp.report.html.page import table, table_row, text
from quizapp.report.verdicts.counted_lines import PROFILE_HEAD, Row
from quizapp.report.words import Words

_NONE = "–"


class SourceLine(NamedTuple):
    """A line of source; `row` has its counts, None where nothing was counted."""

    number: int
    source: str
    row: Row | None = None


def source_table(
    lines: Sequence[SourceLine], name: Callable[[int], str], marks: Mapping[int, str], say: Words
) -> str:
    """Draw lines with their counts.

    `name`: the id of a line by its number. `marks`: HTML behind a line, such as a link to what was
    found there.
    """
    cells = {line.number: line.row.cells() for line in lines if line.row}
    used = [key for key in PROFILE_HEAD if any(row[key] != _NONE for row in cells.values())]
    titles = [*(text(say(key)) for key in (*used, "kernel.line")), "", ""]
    rows = (_row(line, name, cells.get(line.number, {}), used, marks) for line in lines)
    return table(table_row((("", title) for title in titles), "th"), rows)


def _row(
    line: SourceLine,
    name: Callable[[int], str],
    cells: Mapping[str, str],
    used: Sequence[str],
    marks: Mapping[int, str],
) -> str:
    worst = line.row.mark if line.row else ""
    kind = ' class="worst"' if worst else ""
    remark = f'<span class="error">{text(worst)}</span> ' if worst else ""
    drawn = [
        *(("", cells.get(key, "")) for key in used),
        *(("dim", str(line.number)), ("code", text(line.source))),
        ("", remark + marks.get(line.number, "")),
    ]
    return table_row(drawn, attributes=f' id="{name(line.number)}"{kind}')
