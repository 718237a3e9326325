"""Numbers with their units, as people write them: `column 11`, `1 wavefront`, `32-way`, `2 KB`.

How a unit is written, and on which side of its number, is in the catalogue as `unit.<name>`; all
others follow their number as they are.
"""

from __future__ import annotations

import math

from quizapp.domain.grading import AcceptedRange, NotANumber, NotSubmitted, UnknownUnit
from quizapp.domain.question import Number
from quizapp.report.words import Words

_SYMBOL = 3
"""Units of so many letters are symbols, longer ones words."""
_EXACT = 15
"""Decimals of what has no tolerance: more than are written."""
_ROUNDED = 0.2
"""How much of the accepted range rounding may hide; half of it is off to either side."""
_BLANK = "…"
"""Stands for the number that is to be typed."""


def write_number(value: float) -> str:
    """Write a number without noise: 32, 1,024, 195.84."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.6g}"


def write_quantity(value: float, unit: str | None, say: Words) -> str:
    """Write a number with its unit."""
    return _place(write_number(value), unit, say, n=value)


def write_blank(unit: str | None, say: Words) -> str:
    """Write the unit with a blank for its number; "" if there is no unit."""
    return _place(_BLANK, unit, say) if unit else ""


def write_expected(question: Number, expected: AcceptedRange, say: Words) -> str:
    """Write what was expected, with its unit."""
    if question.range is None:
        value = round(expected.value, _decimals(expected))
        return write_quantity(value, question.unit, say)
    low, high = (write_number(bound) for bound in question.range)
    return _place(say("study.range", low=low, high=high), question.unit, say)


def write_accepted(question: Number, expected: AcceptedRange, say: Words) -> str:
    """Write the bounds, where several values are right and the answer does not show them."""
    if question.range is not None or expected.low == expected.high:
        return ""
    decimals = _decimals(expected) + 1
    low, high = (write_number(round(bound, decimals)) for bound in (expected.low, expected.high))
    return say("study.accepted", low=low, high=high)


def write_typed(question: Number, text: str, value: float | None, say: Words) -> str:
    """Write what was typed, and what it came to where that is not the same."""
    typed = text.strip()
    if value is None:
        return typed
    quantity = write_quantity(value, question.unit, say)
    same = _bare(typed) in (_bare(quantity), _bare(write_number(value)))
    return typed if same else say("study.came-to", typed=typed, value=quantity)


def explain_number(reason: NotSubmitted, question: Number, text: str, say: Words) -> str:
    """Say why what was typed is not a number here, and where."""
    typed = text.strip()
    if isinstance(reason, NotANumber) and typed:
        return say("study.not-a-number", text=typed, why=reason.what)
    if isinstance(reason, UnknownUnit):
        known = tuple(name for name in (question.unit, *question.units) if name)
        key = "study.unknown-unit" if known else "study.no-unit"
        return say(key, unit=reason, known=known)
    return say("study.number-first")


def _decimals(expected: AcceptedRange) -> int:
    """Decimals that matter where so much is accepted: 24.8 of 24.7537 if it may be off by 1."""
    if expected.low == expected.high:
        return _EXACT
    return max(0, -math.floor(math.log10(_ROUNDED * (expected.high - expected.low))))


def _place(text: str, unit: str | None, say: Words, *, n: float | None = None) -> str:
    """Put a number, as text, on its side of the unit; `n` is its value, for the singular."""
    if not unit:
        return text
    if say.knows(f"unit.{unit}"):
        return say(f"unit.{unit}", text=text, n=n)
    is_word = unit.isalpha() and unit.endswith("s") and len(unit) > _SYMBOL
    return f"{text} {unit[:-1] if n == 1 and is_word else unit}"


def _bare(text: str) -> str:
    return text.replace(" ", "").replace(",", "").casefold()
