"""Changes of a source: their place is found again when the text around it moves, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.changes import (
    ChangeRefused,
    apply_changes,
    change_span,
    diff_lines,
)
from grader.text_places import TextPlaces

PYTHON = """\
def kernel(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]
    cuda.syncthreads()
    y[i] += 1
    cuda.syncthreads()
"""
CUDA = PYTHON.replace("cuda.syncthreads()", "__syncthreads();")
SOURCES = pytest.mark.parametrize("source", [PYTHON, CUDA], ids=["python", "cuda"])
TEXTS = st.text(alphabet="ab \n\t;", max_size=24)


@given(source=TEXTS, start=st.integers(0, 24), length=st.integers(0, 8), new=TEXTS)
def test_a_change_replaces_its_span_and_nothing_else(
    source: str, start: int, length: int, new: str
) -> None:
    start = min(start, len(source))
    end = min(start + length, len(source))
    change = change_span(source, start, end, new)
    assert apply_changes(source, [change]) == source[:start] + new + source[end:]


@SOURCES
def test_a_change_is_found_again_below_new_lines_and_at_another_depth(source: str) -> None:
    start = source.index("i < x.size")
    change = change_span(source, start, start + len("i < x.size"), "True")
    moved = "# new\n\n" + source.replace("    if", "        if")
    assert apply_changes(moved, [change]) == moved.replace("i < x.size", "True")


@SOURCES
def test_of_equal_lines_the_one_at_the_old_number_is_meant(source: str) -> None:
    barrier = source.splitlines()[4].strip()
    starts = [TextPlaces(source).offset(line, 5) for line in (5, 7)]
    changes = [change_span(source, at, at + len(barrier), "pass") for at in starts]
    assert [change.place for change in changes] == [5, 7]
    assert apply_changes(source, changes[1:]).splitlines()[4:] == [
        f"    {barrier}", "    y[i] += 1", "    pass",
    ]  # fmt: skip
    assert barrier not in apply_changes(source, changes)


@SOURCES
def test_what_does_not_fit_is_refused_with_its_line(source: str) -> None:
    barrier = source.splitlines()[4].strip()
    at = TextPlaces(source).offset(5, 5)
    change = change_span(source, at, at + len(barrier), "pass")
    refusals = {
        "change.ambiguous": ("\n\n" + source, [change], 7),
        "change.absent": (source.replace(barrier, "pass"), [change], 5),
        "change.overlap": (source, [change, change], 5),
    }
    for code, (text, changes, line) in refusals.items():
        with pytest.raises(ChangeRefused) as refused:
            apply_changes(text, changes)
        assert (refused.value.what.code, refused.value.line) == (code, line)


def test_a_difference_is_the_lines_that_differ() -> None:
    at = TextPlaces(PYTHON).offset(4, 9)
    inserted = apply_changes(PYTHON, [change_span(PYTHON, at, at, "cuda.syncwarp()\n        ")])
    assert list(diff_lines(PYTHON, inserted)) == ["@@ -3,0 +4 @@", "+        cuda.syncwarp()"]
