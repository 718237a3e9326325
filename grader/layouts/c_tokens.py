"""The tokens of C: names, numbers, operators, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.layouts.c_nodes import Number, Place
from grader.layouts.c_types import INT, LONG, ULONG, UNSIGNED
from grader.layouts.errors import NotUnderstood

_ANY = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//|/\*)
    |(?P<number>\.?\d(?:[\w.']|(?<=[eEpP])[+-])*)
    |(?P<name>[A-Za-z_]\w*(?:\s*(?:\.|->|::)\s*[A-Za-z_]\w*)*)
    |(?P<operator><<=|>>=|\+\+|--|&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%&^|]=|[-+*/%&^|~!<>?:()\[\],])
    |(?P<other>.)""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_LITERAL = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|(?P<oct>0[0-7]*)|(?P<dec>[1-9][0-9]*))"
    r"(?P<suffix>[uUlL]*)"
)
_SUFFIXES = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"}
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}

SEVERAL_STEPS = "write def index(row, col): … for several steps"
_OTHER = {
    ";": ("an expression has no ;", "leave it out"),
    "=": ("an expression cannot assign", SEVERAL_STEPS),
    "{": ("an expression has no {", SEVERAL_STEPS),
    "#": ("# is not available", "leave it out"),
    '"': ("text is not available", "only numbers can be computed with"),
    "'": ("text is not available", "only numbers can be computed with"),
}


class Token(NamedTuple):
    """Of kind name, number, operator or end; blanks inside a name are gone."""

    kind: str
    text: str
    place: Place


def tokens(source: str) -> list[Token]:
    """All of them, and an `end` after the last.

    Raises:
        NotUnderstood: a character that no expression holds, or a comment.
    """
    found: list[Token] = []
    line, start = 1, 0
    for match in _ANY.finditer(source):
        kind, text = match.lastgroup or "", match.group()
        place = Place(line, match.start() - start + 1)
        if "\n" in text:
            line, start = line + text.count("\n"), match.start() + text.rindex("\n") + 1
        if kind == "comment":
            instead = "write / for division" if text == "//" else "leave it out"
            raise NotUnderstood(f"{text} begins a comment in C", *place, instead)
        if kind == "other":
            what, instead = _OTHER.get(text, (f"{text!r} is not available", ""))
            raise NotUnderstood(what, *place, instead)
        if kind != "space":
            found.append(Token(kind, re.sub(r"\s+", "", text), place))
    found.append(Token("end", "", Place(line, len(source) - start + 1)))
    return found


def number(token: Token) -> Number:
    """A literal; its type follows from value, base and suffix as in C.

    Raises:
        NotUnderstood: it is no whole number, or beyond 64 bits.
    """
    match = _LITERAL.fullmatch(token.text)
    if match is None or match["suffix"].lower() not in _SUFFIXES:
        if re.search(r"[.eEpPfF]", token.text) and not token.text.startswith(("0x", "0X")):
            raise NotUnderstood("an index is a whole number", *token.place, "leave out the point")
        raise NotUnderstood(f"{token.text} is no number in C", *token.place)
    base = next(name for name in _BASES if match[name] is not None)
    if len(token.text) > 80:  # noqa: PLR2004 — binary digits of 64 bits, and some zeros
        raise NotUnderstood("the number is beyond 64 bits", *token.place)
    value = int(match[base], _BASES[base])
    suffix = match["suffix"].lower()
    for ctype in (INT, UNSIGNED, LONG, ULONG):
        if value > ctype.largest or ("u" in suffix and ctype.signed):
            continue
        if "l" in suffix and ctype.bits < LONG.bits:
            continue
        if base == "dec" and not ctype.signed and "u" not in suffix:
            continue
        return Number(token.place, value, ctype)
    raise NotUnderstood("the number is beyond 64 bits", *token.place, "stay within 64 bits")
