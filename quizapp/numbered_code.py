"""The kernel of a `spot` as it is shown: code with numbers and marks, and what faults are called.

Lines of styled spans; knows no screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from quizapp.words import Words

if TYPE_CHECKING:
    from quizapp.bankmap import Line  # NumPy, 80 ms

POINTER = "▶"
RIGHT = "✓"
MISSED = "✗"


def lines(
    code: str, *, pointed: int | None = None, right: Collection[int] | None = None
) -> Iterator[Line]:
    """Every line with its number.

    Args:
        code: the text.
        pointed: the line, from 1, that a person means.
        right: the lines that are right, once that is to be seen.
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
            role = "good" if sign == RIGHT else "conflict" if here else "text"
            yield ((f" {sign} ", role), (f"{number:>{wide}}  ", "dim"), (text, role))  # type: ignore[misc]


def kind_name(kind: str, say: Words) -> str:
    """A kind of fault in the person's words; of warnings only one can be named."""
    return say.get(f"spot.kind.{kind}", say(f"finding.kind.{kind}"))
