"""Source lines beside their counts: what is left out where there is little room."""

from __future__ import annotations

import pytest

from quizapp.report.verdicts.counted_lines import rows, table
from quizapp.report.words import Words

SAY = Words("en")
COUNTS = {"instructions": 1, "lanes": 32}


def drawn(source: str, room: int = 50) -> str:
    """What is drawn of one line, without spaces and its count."""
    found = rows([{"line": 7, "source": source, **COUNTS}], COUNTS, SAY)
    _, *lines = table(found, room, SAY, whole=True)
    text = "".join(span for row in lines for line in row for span, _ in line)
    return text.replace(" ", "").removeprefix("7").replace("100%", "")


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("out[i] = a[i]          # the value that this thread was given", "out[i] = a[i]"),
        ("out[i] = '# no comment' + str(a[i]) + str(b[i])", None),
        ("out[i] = f(a[i],                # of a statement of several lines", "out[i] = f(a[i],"),
        ("# a whole line of comment that is too long for its column", None),
        ("b)'''   # the end of a string that began above it, which is no code", None),
    ],
)
def test_the_comment_that_ends_a_line_goes_first(source, left):
    assert drawn(source) == (left or source).replace(" ", "")


def test_a_comment_that_fits_stays():
    assert drawn("a = b  # short", 80) == "a=b#short"
