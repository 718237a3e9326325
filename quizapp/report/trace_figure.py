"""What a trace's access does, in the person's words: bank map, figures, conflicting lanes."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.exercises.traces import DrawnTrace, TracedAccess
from quizapp.report import bankmap
from quizapp.report.lines import Line
from quizapp.report.words import Words

MOST_WAVEFRONTS = 4
"""Rows of a bank map on a screen: enough to see the conflict, and the reason stays in sight."""


def lines(drawn: DrawnTrace, say: Words, room: int, *, detailed: bool) -> Iterator[Line]:
    """Yield the access as written and, where the compiler makes another of it, as compiled.

    `detailed`: also how the count is known.
    """
    if drawn.compiled is None:
        yield from _access(drawn.traced, say, room, detailed=detailed)
        return
    for name, traced in (("as-written", drawn.traced), ("as-compiled", drawn.compiled)):
        yield ((say(f"basis.{name}"), "text"),)
        yield from _access(traced, say, room, detailed=detailed)


def summary(drawn: DrawnTrace, say: Words) -> Iterator[str]:
    """Yield the same in sentences, for readers without a picture."""
    yield bankmap.figures(drawn.traced.cost, say)
    yield bankmap.witness(drawn.traced.cost, say)
    if drawn.compiled is not None:
        yield f"{say('basis.as-compiled')}: {bankmap.figures(drawn.compiled.cost, say)}"
    yield bankmap.evidence_with_source(drawn.traced.cost, drawn.traced.arch, say)


def _access(traced: TracedAccess, say: Words, room: int, *, detailed: bool) -> Iterator[Line]:
    yield from bankmap.picture(traced.cost, traced.arch, room, say, most=MOST_WAVEFRONTS)
    yield ((bankmap.figures(traced.cost, say), "text"),)
    yield ((bankmap.witness(traced.cost, say), "text"),)
    if detailed:
        yield ((bankmap.evidence_with_source(traced.cost, traced.arch, say), "dim"),)
