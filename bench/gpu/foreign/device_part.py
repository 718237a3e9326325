"""Cuts the part of a file that a kernel needs out of it, as NVRTC takes it: no host code.

Tokens are the preprocessor's; no expression and no statement is read, so that what the front end
makes of them is not what the GPU gets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from grader.simt.cuda.names import KEYWORDS
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.heads import read_head
from grader.simt.cuda.parser.preprocessing import Preprocessor
from grader.simt.cuda.tokens import Token

_BEHIND_NAME = frozenset({"=", ";", ",", "[", "{", "("})
_BEHIND_VALUE = frozenset({",", "=", "}"})
_TYPES = ("struct", "class", "union", "enum", "typedef", "using")


class Part(NamedTuple):
    """A declaration.

    Attributes:
        names: what it declares.
        around: what is written before it for each scope that it stands in, outermost first.
        tokens: of it.
    """

    names: frozenset[str]
    around: tuple[str, ...]
    tokens: tuple[Token, ...]

    @property
    def words(self) -> frozenset[str]:
        """All names that it uses or declares."""
        return frozenset(token.text for token in self.tokens if token.kind == "name")


def read_parts(
    text: str, path: str, read: Callable[[str, str], tuple[str, str] | None]
) -> tuple[Part, ...]:
    """Return the declarations of a file, and of what it includes, that a kernel could need.

    Raises:
        Refused: a directive is wrong, an include unknown, or it is too large.
    """
    tokens = Preprocessor({}, read).run(text, path)
    return tuple(_scope(tokens, Cursor(tokens), ()))


def cut(parts: Sequence[Part], kernel: str) -> str:
    """Return the declarations that a kernel needs, as text; its template's arguments are named."""
    wanted, kept = set(re.findall(r"\w+", kernel)), set[int]()
    grown = True
    while grown:
        grown = False
        for at, part in enumerate(parts):
            if at not in kept and (part.names & wanted or _is_operator(part, wanted)):
                kept.add(at)
                wanted |= part.words
                grown = True
    return "\n".join(_write(parts[at]) for at in sorted(kept)) + "\n"


def _is_operator(part: Part, wanted: set[str]) -> bool:
    """Return True for an operator of types that are wanted."""
    head = list[str]()
    for token in part.tokens:
        if token.text == "{":
            break
        head.append(token.text)
    return "operator" in head and bool(set(head) & wanted - KEYWORDS)


def _scope(tokens: Sequence[Token], cursor: Cursor, around: tuple[str, ...]) -> Iterator[Part]:
    while not cursor.at_end and cursor.text != "}":
        text, after = cursor.text, cursor.peek(1)
        if cursor.token.kind == "pragma":
            while cursor.next().text != "end":
                pass
        elif text == ";":
            cursor.next()
        elif text == "extern" and after.kind == "string" and cursor.peek(2).text == "{":
            cursor.position += 3
            yield from _scope(tokens, cursor, (*around, 'extern "C"'))
            cursor.next()
        elif (text == "namespace" or after.text == "namespace") and text != "using":
            yield from _namespace(tokens, cursor, around)
        else:
            yield from _declaration(tokens, cursor, around)


def _namespace(tokens: Sequence[Token], cursor: Cursor, around: tuple[str, ...]) -> Iterator[Part]:
    start = cursor.position
    while cursor.text not in ("{", ";") and not cursor.at_end:
        cursor.next()
    words = [token.text for token in tokens[start : cursor.position]]
    if cursor.next().text == "{":
        yield from _scope(tokens, cursor, (*around, " ".join(words)))
        cursor.next()
    else:
        alias = tuple(tokens[start : cursor.position])
        yield Part(frozenset(words[1:2]), around, alias)


def _declaration(
    tokens: Sequence[Token], cursor: Cursor, around: tuple[str, ...]
) -> Iterator[Part]:
    head, start, first = read_head(cursor), cursor.position, cursor.text
    is_type = head.kind == "struct" or first in ("using", "typedef")
    cursor.skip_declaration(to_semicolon=head.kind == "struct" or first == "typedef")
    if cursor.position == start:
        cursor.next()
        return
    found = tuple(tokens[start : cursor.position])
    if head.kind == "function" and not is_type:
        if not head.on_device and not head.constexpr:
            return
        if found[-1].text == ";" and any(token.text == "__global__" for token in found):
            return  # device code cannot use it, and with other parameters it is an overload
        names = {head.name}
    else:
        names = _declared(found) | ({head.name} if head.name else set())
    if first != "static_assert" and [token.text for token in found[:2]] != ["using", "namespace"]:
        yield Part(frozenset(names) - KEYWORDS, around, found)


def _declared(tokens: Sequence[Token]) -> set[str]:
    """Return the names that a type or variables are declared by; of an enum its values, too."""
    words = [token.text for token in tokens]
    if words[0] == "using":
        return {words[1]}
    depth, found, is_enum = 0, set[str](), "enum" in words[:2]
    for token, behind in pairwise(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        ends = _BEHIND_NAME if depth == 0 else _BEHIND_VALUE if depth == 1 and is_enum else ()
        if token.kind == "name" and behind.text in ends:
            found.add(token.text)
    if words[0] not in _TYPES and "(" in words:
        found |= {behind for star, behind in pairwise(words) if star == "*"}
    return found


def _write(part: Part) -> str:
    words = list[str]()
    at, tokens = 0, part.tokens
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "pragma":
            words.append(f"\n#pragma {token.text} ")
            at += 1
            while tokens[at].kind != "pragma":
                words.append(f"{tokens[at].text} ")
                at += 1
            words.append("\n")
        else:
            words.append(f"{token.text} ")
            if token.text in (";", "{", "}"):
                words.append("\n")
        at += 1
    opened = "".join(f"{each} {{\n" for each in part.around)
    return f"{opened}{''.join(words).strip()}\n{'}' * len(part.around)}"
