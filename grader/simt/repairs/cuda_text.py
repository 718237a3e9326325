"""The statements of a function in CUDA C++, by its tokens: macros are as the person wrote them."""

from __future__ import annotations

import re

from grader.simt.cuda.tokens import Token, read_lines
from grader.simt.repairs.statements import KernelStatement, Kind, Suite
from grader.text_places import TextPlaces

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_DECLARATION = re.compile(
    r"(?:const|volatile|static|constexpr|register|extern|auto|typedef|using|struct|__shared__)\b"
    r"|(?!return\b|delete\b|goto\b|throw\b)[\w:]+(?:\s*<[^;=]*>)?(?:\s*[*&]+\s*|\s+)"
    r"(?:const\s+|__restrict__\s+)?\w+\s*(?:=|;|\[|\(|,|\{)"
)


class CudaText:
    """A text in CUDA C++ whose statements can be found by their place."""

    braces = True

    def __init__(self, text: str, path: str = "") -> None:
        self.text = text
        self._places = TextPlaces(text)
        lines = [line.tokens for line in read_lines(text, path) if not line.directive]
        self._tokens = [token for line in lines for token in line if token.kind != "pragma"]
        self._offsets = [self.offset(each.place.line, each.place.column) for each in self._tokens]
        self._close = _match_brackets(self._tokens)

    def offset(self, line: int, column: int) -> int:
        """Return where a place is; both from 1."""
        return self._places.offset(line, column)

    def find_body(self, offset: int) -> Suite | None:
        """Return the body of the function around a place."""
        for opened, closed in self._close.items():
            if self._offsets[opened] > offset:
                break
            is_body = self._text(opened) == "{" and self._text(opened - 1) == ")"
            if is_body and offset <= self._offsets[closed]:
                return self._block(opened + 1, closed)
        return None

    def find_subscripts(self, start: int, end: int) -> list[tuple[int, int, str, list[str]]]:
        """Return the accesses `array[i][j]` in a span: start, end, array, and the indices."""
        found = []
        for at, token in enumerate(self._tokens):
            if token.kind != "name" or not start <= self._offsets[at] < end:
                continue
            if self._text(at - 1) in (".", "->"):
                continue
            indices, behind = list[str](), at + 1
            while self._text(behind) == "[" and behind in self._close:
                close = self._close[behind]
                indices.append(self.text[self._offsets[behind] + 1 : self._offsets[close]].strip())
                behind = close + 1
            if indices:
                found.append((self._offsets[at], self._end(behind - 1), token.text, indices))
        return found

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _end(self, at: int) -> int:
        return self._offsets[at] + len(self._tokens[at].text)

    def _block(self, first: int, end: int) -> Suite:
        """Return the statements of some tokens."""
        found, at = list[KernelStatement](), first
        while at < end:
            statement, at = self._statement(at, end)
            found.append(statement)
        return Suite(tuple(found))

    def _statement(self, at: int, end: int) -> tuple[KernelStatement, int]:
        match self._text(at):
            case "{" if at in self._close:
                close = self._close[at]
                return self._span("other", at, close, blocks=(self._block(at + 1, close),))
            case "if":
                return self._if(at, end)
            case "for" | "while" | "switch" as word:
                kind: Kind = "other" if word == "switch" else "loop"
                head, behind = self._head(at + 1)
                block, last = self._body(behind, end)
                return self._span(kind, at, last, head, (block,))
            case "do":
                block, last = self._body(at + 1, end)
                head, behind = self._head(last + 2)
                return self._span("loop", at, behind, head, (block,))
            case "case" | "default":
                while at + 1 < end and self._text(at) != ":":
                    at += 1
                return self._span("other", at, at)
        return self._simple(at, end)

    def _if(self, at: int, end: int) -> tuple[KernelStatement, int]:
        opened = at + 2 if self._text(at + 1) == "constexpr" else at + 1
        head, behind = self._head(opened)
        block, last = self._body(behind, end)
        blocks = [block]
        if self._text(last + 1) == "else" and last + 1 < end:
            other, last = self._body(last + 2, end)
            blocks.append(other)
        return self._span("if", at, last, head, tuple(blocks))

    def _head(self, opened: int) -> tuple[tuple[int, int], int]:
        """Return where the inside of parentheses is, and the token behind them."""
        close = self._close.get(opened, opened)
        return (self._offsets[opened] + 1, self._offsets[close]), close + 1

    def _body(self, at: int, end: int) -> tuple[Suite, int]:
        """Return a body, with braces or without, and its last token."""
        if self._text(at) == "{" and at in self._close:
            close = self._close[at]
            return self._block(at + 1, close), close
        statement, behind = self._statement(at, end)
        return Suite((statement,), closed=False), behind - 1

    def _simple(self, at: int, end: int) -> tuple[KernelStatement, int]:
        last = at
        while last < end - 1 and self._text(last) != ";":
            last = self._close.get(last, last) + 1
        last = min(last, end - 1)
        kind: Kind = "simple"
        if self._text(at) == "return":
            kind = "return"
        elif _DECLARATION.match(self.text, self._offsets[at]):
            kind = "declaration"
        return self._span(kind, at, last)

    def _span(
        self,
        kind: Kind,
        first: int,
        last: int,
        head: tuple[int, int] = (0, 0),
        blocks: tuple[Suite, ...] = (),
    ) -> tuple[KernelStatement, int]:
        return KernelStatement(kind, self._offsets[first], self._end(last), head, blocks), last + 1


def _match_brackets(tokens: list[Token]) -> dict[int, int]:
    """Return by the number of each opening bracket that of the closing one, in their order."""
    found, stack = dict[int, int](), list[int]()
    for at, token in enumerate(tokens):
        if token.kind != "operator":
            continue
        if token.text in _PAIRS:
            stack.append(at)
        elif stack and token.text == _PAIRS[tokens[stack[-1]].text]:
            found[stack.pop()] = at
    return dict(sorted(found.items()))
