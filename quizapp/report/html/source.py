"""Source with its counts in the margin, as a table; each line can be linked to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from quizapp.report.html.page import text
from quizapp.report.verdicts.counted_lines import PROFILE_HEAD, Row
from quizapp.report.words import Words

_NONE = "–"


class SourceLine(NamedTuple):
    """A line of source; `row` has its counts, None where nothing was counted."""

    number: int
    source: str
    row: Row | None = None


def source_table(
    lines: Sequence[SourceLine],
    name: Callable[[int], str],
    marks: Mapping[int, str],
    say: Words,
) -> str:
    """Draw lines with their counts.

    Args:
        lines: in their order.
        name: the id of a line by its number.
        marks: HTML behind a line, such as a link to what was found there.
        say: the reader's language.
    """
    cells = {line.number: line.row.cells() for line in lines if line.row}
    used = [key for key in PROFILE_HEAD if any(row[key] != _NONE for row in cells.values())]
    head = "".join(f"<th>{text(say(key))}</th>" for key in used)
    head += f"<th>{text(say('kernel.line'))}</th><th></th><th></th>"
    drawn = [_row(line, name, cells.get(line.number, {}), used, marks) for line in lines]
    rows = "\n".join(drawn)
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _row(
    line: SourceLine,
    name: Callable[[int], str],
    cells: Mapping[str, str],
    used: Sequence[str],
    marks: Mapping[int, str],
) -> str:
    worst = line.row.mark if line.row else ""
    kind = ' class="worst"' if worst else ""
    figures = "".join(f"<td>{cells.get(key, '')}</td>" for key in used)
    remark = f'<span class="error">{text(worst)}</span> ' if worst else ""
    return (
        f'<tr id="{name(line.number)}"{kind}>{figures}<td class="dim">{line.number}</td>'
        f'<td class="code">{text(line.source)}</td>'
        f"<td>{remark}{marks.get(line.number, '')}</td></tr>"
    )
