"""The tokens of a source with their places in its text, and the brackets among them."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.simt.cuda.tokens import Token, read_lines
from grader.text_places import TextPlaces

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = frozenset(OPENING.values())
_BRANCHES = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")


class SourceEdit(NamedTuple):
    """Characters from `start` to `end` are replaced by `text`."""

    start: int
    end: int
    text: str


class SourceText:
    """A source, read.

    Attributes:
        text: with a line feed at the end of each line.
        tokens: without directives; `#if`, `#else` and `#endif` stand for those with branches.
        directives: the tokens of each.
    """

    def __init__(self, text: str, path: str) -> None:
        """Read a text.

        Raises:
            Refused: it is too long, or not C++.
        """
        self.text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
        self.tokens: list[Token] = []
        self.directives: list[list[Token]] = []
        self._places = TextPlaces(self.text)
        for line in read_lines(self.text, path):
            tokens = _join(line.tokens)
            if not line.directive:
                self.tokens += tokens
                continue
            word = tokens[1].text if len(tokens) > 1 else ""
            self.directives.append(tokens)
            if word in _BRANCHES:
                kind = "#if" if word.startswith("if") else "#endif" if word == "endif" else "#else"
                self.tokens.append(line.tokens[0]._replace(kind="other", text=kind))

    def start_of(self, token: Token) -> int:
        """Return where a token begins."""
        return self._places.offset(token.place.line, token.place.column)

    def end_of(self, token: Token) -> int:
        """Return where a token ends."""
        return self.start_of(token) + len(token.text)

    def newlines(self, start: int, end: int) -> str:
        """Return the ends of lines between two places, as a macro or a text needs them."""
        return "".join(re.findall(r"\\?\n", self.text[start:end]))

    def blank(self, start: int, end: int) -> str:
        """Return what stays between two places if the code goes: directives, ends of lines."""
        kept, at = list[str](), start
        for tokens in self.directives[bisect(self.directives, start, key=self._begin) :]:
            begin, after = self._begin(tokens), self.end_of(tokens[-1])
            if begin >= end:
                break
            kept += [self.newlines(at, begin), self.text[begin:after]]
            at = after
        return "".join([*kept, self.newlines(at, end)])

    def _begin(self, tokens: Sequence[Token]) -> int:
        return self.start_of(tokens[0])

    def word(self, position: int) -> str:
        """Return the text of a token; "" outside."""
        return self.tokens[position].text if 0 <= position < len(self.tokens) else ""

    def match(self, position: int) -> int:
        """Return the position of the bracket that closes one; the last token if none does.

        Where branches of the preprocessor hold brackets, the last branch counts.
        """
        depth, kept = 0, list[int]()
        for at in range(position, len(self.tokens)):
            match self.tokens[at].text:
                case "(" | "[" | "{":
                    depth += 1
                case ")" | "]" | "}":
                    depth -= 1
                    if depth == 0:
                        return at
                case "#if":
                    kept.append(depth)
                case "#else" if kept:
                    depth = kept[-1]
                case "#endif" if kept:
                    kept.pop()
        return len(self.tokens) - 1

    def match_angle(self, position: int) -> int:
        """Return the position of the `>` that closes a `<`."""
        depth, at = 0, position
        while at < len(self.tokens):
            word = self.word(at)
            if word in OPENING:
                at = self.match(at)
            elif word == "<":
                depth += 1
            elif word in (">", ">>"):
                depth -= len(word)
                if depth <= 0:
                    return at
            elif word in (";", "{", "}"):
                break
            at += 1
        return position

    def split(self, opening: int, closing: int) -> Iterator[tuple[int, int]]:
        """Yield the range of each item of a list in brackets; none of an empty one."""
        at = first = opening + 1
        while at < closing:
            word = self.word(at)
            if word in OPENING:
                at = self.match(at)
            elif word == "<" and self.tokens[at - 1].kind == "name":
                at = min(self.match_angle(at), closing - 1)
            elif word == ",":
                yield first, at
                first = at + 1
            at += 1
        if first < closing:
            yield first, closing


def _join(tokens: list[Token]) -> list[Token]:
    """Return the tokens of a line with `<< <`, which begins nothing but a launch, as `<<<`."""
    found = list[Token]()
    for token in tokens:
        last = found[-1].text if found else ""
        if (last, token.text) in (("<<", "<"), ("<", "<<")):
            found[-1] = found[-1]._replace(text="<<<")
        else:
            found.append(token)
    return found


def opening_of(tokens: Sequence[Token], position: int) -> int | None:
    """Return the position of the bracket that one closes."""
    depth = 0
    for at in range(position, -1, -1):
        word = tokens[at].text
        depth += (word in CLOSING) - (word in OPENING)
        if depth == 0:
            return at
    return None
