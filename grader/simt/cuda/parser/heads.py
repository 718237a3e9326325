"""Looks at how a declaration begins, to tell host code from what a kernel can use."""

from __future__ import annotations

from typing import Literal, NamedTuple

from grader.simt.cuda.names import GLOBAL_SPACES, STRUCTS, WITH_PARENTHESES
from grader.simt.cuda.parser.cursor import Cursor

_DEVICE = GLOBAL_SPACES | {"__global__", "__shared__"}

_ENDS = frozenset({";", "{", "=", "[", ":", ",", "}", ")"})


class Head(NamedTuple):
    """How a declaration begins.

    Attributes:
        kind: "struct" for a definition of a struct or an enum; "function" also for a host variable
            with parentheses.
        name: what it declares; "" if that cannot be told.
        words: specifiers of the device among its first words.
        constexpr: whether `constexpr` is among them.
        template: whether it is one.
        opening: of a "function", how many tokens later its parentheses begin.
    """

    kind: Literal["struct", "function", "variable"]
    name: str
    words: frozenset[str]
    constexpr: bool
    template: bool
    opening: int = 0

    @property
    def on_device(self) -> bool:
        """True if it is marked for the device."""
        return bool(self.words)


def read_head(cursor: Cursor) -> Head:
    """Read the beginning of the declaration at the cursor, which stays."""
    start = cursor.position
    try:
        return _read(cursor, start, template=skip_templates(cursor))
    finally:
        cursor.position = start


def skip_templates(cursor: Cursor) -> bool:
    """Take `template <…>`, once or more often; return True if it is there."""
    template = False
    while cursor.text == "template" and cursor.peek(1).text == "<":
        cursor.next()
        template = True
        if not cursor.skip_angles():
            break
    return template


def _read(cursor: Cursor, start: int, *, template: bool) -> Head:
    words, name = {"__device__"} if cursor.device else set[str](), ""
    constexpr, struct, angles = False, False, True
    while True:
        if skip_attribute(cursor):
            continue
        token, text = cursor.token, cursor.text
        if text == "(" and _is_pointer(cursor):
            return Head("variable", cursor.peek(2).text, frozenset(words), constexpr, template)
        if text in ("(", "operator"):
            name, opening = name if text == "(" else text, cursor.position - start
            return Head("function", name, frozenset(words), constexpr, template, opening)
        if token.kind == "end" or text in _ENDS:
            kind: Literal["struct", "variable"] = "variable"
            if struct and text in ("{", ":"):
                kind = "struct"
            return Head(kind, name, frozenset(words), constexpr, template)
        if text in _DEVICE:
            words.add(text)
        constexpr |= text in ("constexpr", "consteval")
        struct |= text in STRUCTS or text == "enum"
        if cursor.is_name():
            name = text
        if text == "<" and angles and name:
            angles = cursor.skip_angles()  # one failure is enough: it looked up to the end
        else:
            cursor.next()


def _is_pointer(cursor: Cursor) -> bool:
    """Return True at `(*name)`, `(*name[2])` and `(&name)`, which no function's name is."""
    if cursor.peek(1).text not in ("*", "&", "&&") or not cursor.is_name(2):
        return False
    return cursor.peek(3).text in (")", "[")


def skip_attribute(cursor: Cursor) -> bool:
    """Take an attribute, with its arguments; return True if one is here."""
    if cursor.text in WITH_PARENTHESES:
        cursor.next()
        if cursor.text == "(":
            cursor.skip_balanced()
        return True
    if cursor.text == "[" and cursor.peek(1).text == "[":
        cursor.skip_balanced()
        return True
    return False
