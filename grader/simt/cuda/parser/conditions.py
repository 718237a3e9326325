"""The value of a condition after `#if`: 64-bit integers, and names that are 0."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from grader.facts import fact
from grader.simt.cuda.literals import read_character, read_number
from grader.simt.cuda.places import Place, ill_formed
from grader.simt.cuda.syntax import IntegerLiteral
from grader.simt.cuda.tokens import Token

_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"),
    ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_PRECEDENCE = {name: level for level, row in enumerate(_LEVELS, 1) for name in row}
_DEEPEST = 60


def _divide(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_VALUES: Mapping[str, Callable[[int, int], int]] = {
    "||": lambda left, right: int(bool(left or right)),
    "&&": lambda left, right: int(bool(left and right)),
    "|": operator.or_, "^": operator.xor, "&": operator.and_,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
    "<<": lambda left, right: left << (right & 63), ">>": lambda left, right: left >> (right & 63),
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": _divide, "%": lambda left, right: left - right * _divide(left, right),
}  # fmt: skip


class Condition:
    """Reads one condition, whose macros are expanded and whose `defined` are numbers."""

    def __init__(self, tokens: Sequence[Token], at: Place) -> None:
        self._tokens = tokens
        self._at = at
        self._position = 0
        self._depth = 0
        self._unused = 0  # how many operators around leave out what is being read

    def value(self) -> bool:
        """Return True if the condition holds.

        Raises:
            IllFormed: it is not a constant expression of integers.
        """
        found = self._conditional()
        if self._position < len(self._tokens):
            raise self._error()
        return bool(found)

    def _peek(self) -> str:
        end = self._position >= len(self._tokens)
        return "" if end else self._tokens[self._position].text

    def _error(self) -> Exception:
        end = self._position >= len(self._tokens)
        place = self._at if end else self._tokens[self._position].place
        return ill_formed(fact("cpp.bad-condition"), place)

    def _expect(self, text: str) -> None:
        if self._peek() != text:
            raise self._error()
        self._position += 1

    def _conditional(self) -> int:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error()
        test = self._binary(1)
        if self._peek() == "?":
            self._position += 1
            yes = self._part(self._conditional, used=bool(test))
            self._expect(":")
            no = self._part(self._conditional, used=not test)
            test = yes if test else no
        self._depth -= 1
        return test

    def _part(self, read: Callable[[], int], *, used: bool) -> int:
        """Read an operand; if it is not used, it may be one that has no value."""
        self._unused += not used
        value = read()
        self._unused -= not used
        return value

    def _binary(self, level: int) -> int:
        left = self._unary()
        while (found := _PRECEDENCE.get(self._peek(), 0)) >= level:
            name, place = self._peek(), self._tokens[self._position].place
            self._position += 1
            used = not ((name == "&&" and not left) or (name == "||" and left))
            right = self._part(partial(self._binary, found + 1), used=used)
            if name in "/%" and right == 0:
                if not self._unused:
                    raise ill_formed(fact("cpp.condition-division"), place)
                right = 1
            left = _wrap(int(_VALUES[name](left, right)))
        return left

    def _unary(self) -> int:
        sign = self._peek()
        if sign in ("-", "+", "!", "~"):
            self._position += 1
            self._depth += 1
            if self._depth > _DEEPEST:
                raise self._error()
            value = self._unary()
            self._depth -= 1
            return _wrap({"-": -value, "+": value, "!": int(not value), "~": ~value}[sign])
        if sign == "(":
            self._position += 1
            value = self._conditional()
            self._expect(")")
            return value
        return self._primary()

    def _primary(self) -> int:
        if self._position >= len(self._tokens):
            raise self._error()
        token = self._tokens[self._position]
        self._position += 1
        if token.kind == "name":
            if self._peek() == "(":  # a feature test of another compiler, as __has_builtin(x)
                while self._peek() not in ("", ")"):
                    self._position += 1
                self._expect(")")
            return int(token.text == "true")
        if token.kind == "character":
            return read_character(token).value
        if token.kind == "number":
            literal = read_number(token)
            if isinstance(literal, IntegerLiteral):
                return _wrap(literal.value)
        self._position -= 1
        raise self._error()


def _wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def resolve_defined(tokens: Sequence[Token], macros: Mapping[str, object]) -> list[Token]:
    """Replace `defined X`, `defined(X)` and `__has_include(…)` by 1 or 0."""
    found, position = list[Token](), 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.text not in ("defined", "__has_include"):
            found.append(token)
            continue
        inside = list[str]()
        if position < len(tokens) and tokens[position].text == "(":
            end = next((i for i in range(position, len(tokens)) if tokens[i].text == ")"), position)
            inside = [each.text for each in tokens[position + 1 : end]]
            position = end + 1
        elif position < len(tokens):
            inside = [tokens[position].text]
            position += 1
        known = token.text == "defined" and len(inside) == 1 and inside[0] in macros
        found.append(token._replace(kind="number", text=str(int(known))))
        if token.text == "defined" and (len(inside) != 1 or not re.match(r"[^\W\d]", inside[0])):
            raise ill_formed(fact("cpp.bad-condition"), token.place)
    return found
