"""The tokens of CUDA C++, each with its place. Knows no directives and no grammar.

A backslash at the end of a line joins it with the next, CRLF ends a line as LF does, and a byte
order mark is skipped. Comments are blanks. What no token begins with (`@`, a lone quotation mark)
is a token of kind "other": it is an error only where a kernel has it, since host code is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from grader.facts import fact
from grader.simt.cuda.places import Place, ill_formed, not_emulated

Kind = Literal["name", "number", "character", "string", "operator", "pragma", "other", "end"]

MOST_CHARACTERS = 4_000_000
MOST_LINES = 100_000
"""In one file; NVIDIA's longest sample has 4,000."""

_ANY = re.compile(
    r"""(?P<blank>[ \t\v\f]+|//[^\n]*|/\*.*?\*/)
    |(?P<newline>\n)
    |(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^ ()\\\t\n]{0,16})\(.*?\)(?P=mark)")
    |(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
    |(?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
    |(?P<name>[^\W\d]\w*)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|'?\w|\.)*)
    |(?P<operator><<<|<<=|>>=|->\*|\.\.\.|\.\*|::|\+\+|--|->|&&|\|\||<<|>>|<=|>=|==|!=|\#\#
        |[-+*/%&^|]=|[-+*/%&^|~!<>?:()\[\],;={}.\#])
    |(?P<unclosed>/\*)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)

ALTERNATIVES = {
    "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~",
    "and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}  # fmt: skip
"""Operators that C++ also spells as words."""

NO_NAMES: frozenset[str] = frozenset()


class Token(NamedTuple):
    """A token at the place where the person sees it: of a macro's tokens, where the macro is used.

    `spaced` is True if a blank or a line's end is before it; `hidden` are the macros that it came
    from, which do not expand in it again.
    """

    kind: Kind
    text: str
    line: int
    column: int
    path: str = ""
    spaced: bool = False
    hidden: frozenset[str] = NO_NAMES

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.line, self.column, self.path)


class Line(NamedTuple):
    """The tokens of a line; comments over several lines and splices make it long."""

    tokens: list[Token]
    directive: bool
    """True if it begins with `#`, which `tokens` still has."""


def read_lines(text: str, path: str = "") -> Iterator[Line]:
    """Yield the lines that have tokens.

    Raises:
        IllFormed: it is not text (NUL, UTF-16), or has a comment without an end.
        Refused: it is too long.
    """
    clean, starts = _join(_checked(text, path))
    line, last = 0, len(starts) - 1
    found, spaced = list[Token](), True
    for match in _ANY.finditer(clean):
        kind, begin = match.lastgroup, match.start()
        while line < last and starts[line + 1][0] <= begin:
            line += 1
        if kind in ("blank", "newline"):
            spaced = True
            if kind == "newline" and found:
                yield _line(found)
                found = []
            continue
        offset, number = starts[line]
        place = Place(number, begin - offset + 1, path)
        found.append(_token(kind, match.group(), place, spaced=spaced))
        spaced = False
    if found:
        yield _line(found)


def _line(tokens: list[Token]) -> Line:
    return Line(tokens, tokens[0].text == "#" and tokens[0].kind == "operator")


def _token(kind: str | None, text: str, place: Place, *, spaced: bool) -> Token:
    if kind == "unclosed":
        raise ill_formed(fact("cpp.comment-without-end"), place)
    if kind in ("raw", "mark"):
        kind, text = "string", _plain_string(text)
    elif kind == "name" and text in ALTERNATIVES:
        kind, text = "operator", ALTERNATIVES[text]
    return Token(kind, text, *place, spaced)  # type: ignore[arg-type]


def _checked(text: str, path: str) -> str:
    if len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES:
        what = fact("cpp.source-too-long", lines=MOST_LINES, characters=MOST_CHARACTERS)
        raise not_emulated(what, Place(1, 1, path))
    if (nul := re.search("[\0\ud800-\udfff]", text)) is not None:
        before = text[: nul.start()]
        line, column = before.count("\n") + 1, nul.start() - before.rfind("\n")
        raise ill_formed(fact("cpp.not-text"), Place(line, column, path))
    return re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))


def _join(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Join spliced lines; return the text, and where each line begins in it: (offset, number)."""
    starts, parts, offset = [(0, 1)], list[str](), 0
    for number, line in enumerate(text.split("\n"), 2):
        ends = line.rstrip(" \t")
        spliced = ends.endswith("\\")
        part = ends[:-1] if spliced else f"{line}\n"
        parts.append(part)
        offset += len(part)
        starts.append((offset, number))
    return "".join(parts), starts


def _plain_string(raw: str) -> str:
    """Return an ordinary literal for a raw one."""
    inner = raw[raw.index("(") + 1 : raw.rindex(")")]
    escaped = inner.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
