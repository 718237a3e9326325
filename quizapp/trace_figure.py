"""What a trace's access does, in the person's words: bank map, figures, who meets whom."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp import bankmap
from quizapp.bankmap import Line
from quizapp.exercises.traces import Drawn, Traced
from quizapp.words import Words

MOST_WAVEFRONTS = 4
"""Rows of a bank map on a screen: enough to see what meets, and the reason stays in sight."""


def lines(drawn: Drawn, say: Words, room: int, *, detailed: bool) -> Iterator[Line]:
    """The access as written and, where the compiler makes another of it, as compiled.

    `detailed`: also how the count is known.
    """
    if drawn.compiled is None:
        yield from _access(drawn.traced, say, room, detailed=detailed)
        return
    for name, traced in (("as-written", drawn.traced), ("as-compiled", drawn.compiled)):
        yield ((say(f"basis.{name}"), "text"),)
        yield from _access(traced, say, room, detailed=detailed)


def summary(drawn: Drawn, say: Words) -> Iterator[str]:
    """The same in sentences, for those who see no picture."""
    yield bankmap.figures(drawn.traced.cost, say)
    yield bankmap.witness(drawn.traced.cost, say)
    if drawn.compiled is not None:
        yield f"{say('basis.as-compiled')}: {bankmap.figures(drawn.compiled.cost, say)}"
    yield bankmap.standing(drawn.traced.cost, drawn.traced.arch, say)


def _access(traced: Traced, say: Words, room: int, *, detailed: bool) -> Iterator[Line]:
    yield from bankmap.picture(traced.cost, traced.arch, room, say, most=MOST_WAVEFRONTS)
    yield ((bankmap.figures(traced.cost, say), "text"),)
    yield ((bankmap.witness(traced.cost, say), "text"),)
    if detailed:
        yield ((bankmap.standing(traced.cost, traced.arch, say), "dim"),)
