"""The kernel of a `spot` as it is shown: code with numbers and marks, and what faults are called.

Lines of styled spans; knows no screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from quizapp.exercises import spots
from quizapp.report.words import Words

if TYPE_CHECKING:
    from quizapp.domain.question import Spot
    from quizapp.report.lines import Line, Role

POINTER = "▶"
RIGHT = "✓"
MISSED = "✗"


def lines(
    code: str, *, pointed: int | None = None, right: Collection[int] | None = None
) -> Iterator[Line]:
    """Draw every line with its number.

    `pointed`: the line, from 1, that a person means. `right`: the lines that are right, once that
    is to be seen.
    """
    texts = code.rstrip("\n").split("\n")
    wide = len(str(len(texts)))
    for number, text in enumerate(texts, start=1):
        here = number == pointed
        if right is None:
            yield (
                (f" {POINTER if here else ' '} ", "good" if here else "text"),
                (f"{number:>{wide}}  ", "dim"),
                (text, "text"),
            )
        else:
            sign = RIGHT if number in right else MISSED if here else " "
            role: Role = "good" if sign == RIGHT else "conflict" if here else "text"
            yield ((f" {sign} ", role), (f"{number:>{wide}}  ", "dim"), (text, role))


def launch(question: Spot, say: Words) -> str:
    """Describe how the kernel is launched, and with what."""
    found = spots.describe_launch(question)
    grid, block = (", ".join(map(str, sizes)) for sizes in (found.grid, found.block))
    return say("spot.launch", grid=grid, block=block, arguments=", ".join(found.arguments))


def kind_name(kind: str, say: Words) -> str:
    """Name a kind of bug or cost in the person's words; of warnings only one can be named."""
    return say.get(f"spot.kind.{kind}", "") or say(f"finding.kind.{kind}")
