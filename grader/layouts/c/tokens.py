"""The tokens of C: names, numbers, operators, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.facts import fact
from grader.layouts.c.nodes import IntegerLiteral, SourcePlace
from grader.layouts.c.types import INT, LONG, ULONG, UNSIGNED
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import shorten

_ANY = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n]*|/\*.*?\*/|/\*)
    |(?P<number>\.?\d(?:[\w.']|(?<=[eEpP])[+-])*)
    |(?P<name>[A-Za-z_]\w*(?:\s*(?:\.|->|::)\s*[A-Za-z_]\w*)*)
    |(?P<operator><<=|>>=|\+\+|--|&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%&^|]=|[-+*/%&^|~!<>?:()\[\],;={}\#])
    |(?P<other>.)""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_LITERAL = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|(?P<oct>0[0-7]*)|(?P<dec>[1-9][0-9]*))"
    r"(?P<suffix>[uUlL]*)"
)
_SUFFIXES = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"}
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}

_COMMENT_INSTEAD = {"//": fact("layout.use-c-division"), "/*": fact("layout.leave-out")}


class Token(NamedTuple):
    """A token of kind name, number, operator or end; it has no blanks inside a name."""

    kind: str
    text: str
    place: SourcePlace


def tokens(source: str, *, comments: bool = False, first_line: int = 1) -> list[Token]:
    """Split `source` into its tokens, with an `end` after the last.

    Args:
        source: C, of any number of lines.
        comments: whether to skip comments, as among statements. In an expression `//` is most
            often Python's division.
        first_line: the number of the first line.

    Raises:
        NotUnderstood: a character that C does not have, or a comment in an expression.
    """
    found: list[Token] = []
    line, start = first_line, 0
    for match in _ANY.finditer(source):
        kind, text = match.lastgroup or "", match.group()
        place = SourcePlace(line, match.start() - start + 1)
        if "\n" in text:
            line, start = line + text.count("\n"), match.start() + text.rindex("\n") + 1
        if kind == "comment":
            if comments and text != "/*":
                continue
            what = fact("layout.comment", mark=text[:2])
            raise NotUnderstood(what, *place, _COMMENT_INSTEAD[text[:2]])
        if kind == "other" and text in "\"'":
            raise NotUnderstood(fact("layout.no-text"), *place)
        if kind == "other":
            raise NotUnderstood(fact("layout.unknown-character", character=repr(text)), *place)
        if kind != "space":
            found.append(Token(kind, re.sub(r"\s+", "", text), place))
    found.append(Token("end", "", SourcePlace(line, len(source) - start + 1)))
    return found


def number(token: Token) -> IntegerLiteral:
    """Read a literal; its type follows from value, base and suffix as in C.

    Raises:
        NotUnderstood: it is not an integer, or beyond 64 bits.
    """
    match = _LITERAL.fullmatch(token.text)
    if match is None or match["suffix"].lower() not in _SUFFIXES:
        if re.search(r"[.eEpPfF]", token.text) and not token.text.startswith(("0x", "0X")):
            raise NotUnderstood(fact("layout.decimal-point"), *token.place)
        what = fact("layout.bad-literal", text=shorten(token.text))
        raise NotUnderstood(what, *token.place)
    base = next(name for name in _BASES if match[name] is not None)
    if len(token.text) > 80:
        raise NotUnderstood(fact("layout.beyond-64-bits"), *token.place)
    value = int(match[base], _BASES[base])
    suffix = match["suffix"].lower()
    for ctype in (INT, UNSIGNED, LONG, ULONG):
        if value > ctype.largest or ("u" in suffix and ctype.signed):
            continue
        if "l" in suffix and ctype.bits < LONG.bits:
            continue
        if base == "dec" and not ctype.signed and "u" not in suffix:
            continue
        return IntegerLiteral(token.place, value, ctype)
    raise NotUnderstood(fact("layout.beyond-64-bits"), *token.place)
