"""Cuts a PTX text into words, each with its line; comments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grader.facts import fact
from grader.simt.errors import Refused

_WORD = re.compile(
    r"""(?P<space>[ \t\r\f]+|//[^\n]*|/\*.*?\*/)
    | (?P<line>\n)
    | (?P<text>"[^"\n]*")
    | (?P<number>0[fF][0-9a-fA-F]{8}\b | 0[dD][0-9a-fA-F]{16}\b | 0[xX][0-9a-fA-F]+U?
        | [0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)? | [0-9]+U?)
    | (?P<dotted>\.(?:[A-Za-z_]|[1-5]d\b)[\w$]*(?:::[\w$]+)*)
    | (?P<name>[%A-Za-z_$][\w$]*)
    | (?P<sign>::|[-+{}()\[\]<>,;:=|!@*&~/])""",
    re.VERBOSE | re.DOTALL,
)


class Word(NamedTuple):
    """A word of the text: `kind` is a group of the pattern above."""

    kind: str
    text: str
    line: int


def cut(text: str) -> Iterator[Word]:
    """Yield the words of a text.

    Raises:
        Refused: there is a character that PTX does not have.
    """
    line, at = 1, 0
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            column = at - text.rfind("\n", 0, at)
            raise Refused(fact("ptx.character", character=text[at]), line=line, column=column)
        kind, word = str(found.lastgroup), found[0]
        if kind == "line":
            line += 1
        elif kind == "space":
            line += word.count("\n")
        else:
            yield Word(kind, word, line)
        at = found.end()
