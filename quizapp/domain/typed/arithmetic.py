"""Computes a number as people type it: `1,024`, `2^10`, `80*195.84/1000`. Pure.

A descent over the text that evaluates no code. All values are floats, so nothing takes long.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from grader.facts import Fact, fact

LONGEST = 100
"""Characters of an expression; parentheses cannot nest deeper than this."""

_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F]+"
    r"|(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+|(?=\.\d))(?:\.\d*)?(?:[eE][-+]?\d+)?"
)
_SUM = re.compile(r"\s*(\+|-(?![^\W\d_]))")
"""A hyphen before a letter begins a unit: `32-way`."""
_PRODUCT = re.compile(r"\s*(\*(?!\*)|/|[x×](?=\s*[\d.(]))")
_OPEN, _CLOSE, _SPACE = re.compile(r"\s*(\()"), re.compile(r"\s*(\))"), re.compile(r"\s*()")
_POWER = re.compile(r"\s*(\*\*|\^)")
_TYPED = str.maketrans("−·÷（），．％＋＊／＾", "-*/(),.%+*/^")
"""Signs that typography and Chinese input methods have in place of those of a keyboard."""


class BadExpression(ValueError):
    """The text cannot be computed; `what` says why, with the column from 1."""

    def __init__(self, what: Fact) -> None:
        super().__init__(what)
        self.what = what


def compute_beginning(text: str) -> tuple[float, str]:
    """Compute the number or expression that `text` begins with; return it and what follows.

    Raises BadExpression: there is none, or it has no finite value.
    """
    if len(text) > LONGEST:
        raise BadExpression(fact("typed.too-long", most=LONGEST))
    reader = _Reader(text.translate(_TYPED))
    value = reader.sum()
    return value, reader.text[reader.at :].strip()


@dataclass
class _Reader:
    """Reads `text` from `at` on, one method for each level of precedence."""

    text: str
    at: int = 0

    def sum(self) -> float:
        """Read terms that are added or subtracted."""
        value = self.product()
        while found := self.take(_SUM):
            operation = float.__add__ if found == "+" else float.__sub__
            value = self.apply(operation, value, self.product)
        return value

    def product(self) -> float:
        """Read factors that are multiplied or divided."""
        value = self.signed()
        while found := self.take(_PRODUCT):
            operation = float.__truediv__ if found == "/" else float.__mul__
            value = self.apply(operation, value, self.signed)
        return value

    def signed(self) -> float:
        """Read a power with at most one sign: `-2^2` is -4."""
        sign = self.take(_SUM)
        value = self.power()
        return -value if sign == "-" else value

    def power(self) -> float:
        """Read a number, or a number to the power of another; the second may be a power, too."""
        value = self.atom()
        if self.take(_POWER):
            return self.apply(float.__pow__, value, self.signed)
        return value

    def atom(self) -> float:
        """Read a number, or a sum in parentheses."""
        if self.take(_OPEN):
            value = self.sum()
            if not self.take(_CLOSE):
                raise self.unexpected()
            return value
        self.take(_SPACE)
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise self.unexpected()
        literal = found[0].replace(",", "")
        value = float(int(literal, 16)) if literal[:2] in ("0x", "0X") else float(literal)
        if not math.isfinite(value):
            raise BadExpression(fact("typed.no-value", column=self.at + 1))
        self.at = found.end()
        return value

    def take(self, operator: re.Pattern[str]) -> str:
        """Return the operator that is next, and go past it; "" if it is not next."""
        found = operator.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[1]

    def apply(
        self, operation: Callable[[float, float], float], left: float, right: Callable[[], float]
    ) -> float:
        """Compute one operation with what `right` reads; its column is that of the operator."""
        column = self.at
        other = right()
        try:
            value = operation(left, other)
        except ArithmeticError:
            value = math.nan
        if not isinstance(value, float) or not math.isfinite(value):  # the root of -1 is complex
            raise BadExpression(fact("typed.no-value", column=column))
        return value

    def unexpected(self) -> BadExpression:
        """Make the error for what is next, where something else is needed."""
        rest = self.text[self.at :].lstrip()
        if not rest:
            return BadExpression(fact("typed.unfinished"))
        column = len(self.text) - len(rest) + 1
        return BadExpression(fact("typed.unexpected", found=rest[0], column=column))
