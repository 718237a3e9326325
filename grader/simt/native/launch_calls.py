"""Rewrites launches: `k<<<grid, block>>>(x)` becomes `(quiz::configure(grid, block), k(x))`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.simt.cuda.tokens import Token
from grader.simt.native.source_text import CLOSING, OPENING, SourceEdit, SourceText, opening_of

_STATEMENTS = frozenset({"if", "for", "while", "switch", "return", "else", "do"})


def rewrite_launch(
    source: SourceText, tokens: Sequence[Token], position: int
) -> Iterator[SourceEdit]:
    """Rewrite the launch whose `<<<` is at a position; yield nothing if it is not a launch."""
    ends, first = _find_closing(tokens, position), _start_of(tokens, position)
    if ends is None or first is None:
        return
    closing, arguments = ends
    last = _closing_of(tokens, arguments)
    if last is None:
        return
    sizes = tokens[position + 1 : closing]
    given = source.text[source.start_of(sizes[0]) : source.end_of(sizes[-1])] if sizes else ""
    if "\n" in given:
        given = " ".join(token.text for token in sizes)
    begin = source.start_of(tokens[first])
    yield SourceEdit(begin, begin, f"(::quiz::configure({given}), ")
    opened, closed = source.start_of(tokens[position]), source.start_of(tokens[arguments])
    yield SourceEdit(opened, closed, source.newlines(opened, closed))
    end = source.end_of(tokens[last])
    yield SourceEdit(end, end, ")")


def _find_closing(tokens: Sequence[Token], position: int) -> tuple[int, int] | None:
    """Return where the `>>>` is that ends a configuration, and the parenthesis behind it."""
    depth = 0
    for at in range(position + 1, len(tokens)):
        word = tokens[at].text
        depth += (word in OPENING) - (word in CLOSING)
        if depth < 0:
            return None
        if depth == 0 and word in (">", ">>"):
            angles, end = "", at
            while end < len(tokens) and tokens[end].text in (">", ">>"):
                angles, end = angles + tokens[end].text, end + 1
            if angles == ">>>" and end < len(tokens) and tokens[end].text == "(":
                return at, end
    return None


def _closing_of(tokens: Sequence[Token], position: int) -> int | None:
    """Return the position of the bracket that closes one."""
    depth = 0
    for at in range(position, len(tokens)):
        word = tokens[at].text
        depth += (word in OPENING) - (word in CLOSING)
        if depth == 0:
            return at
    return None


def _angle_of(tokens: Sequence[Token], position: int) -> int | None:
    """Return the position of the `<` that a `>` closes."""
    depth, at = 0, position
    while at >= 0:
        word = tokens[at].text
        if word in (">", ">>"):
            depth += len(word)
        elif word == "<":
            depth -= 1
            if depth == 0:
                return at
        elif word in (")", "]"):
            found = opening_of(tokens, at)
            if found is None:
                return None
            at = found
        elif word in (";", "{", "}"):
            return None
        at -= 1
    return None


def _start_of(tokens: Sequence[Token], position: int) -> int | None:
    """Return where the expression in front of a launch's `<<<` begins."""
    at: int | None = position - 1
    while at is not None and at >= 0:
        word = tokens[at].text
        before = tokens[at - 1] if at else None
        if word in (">", ">>"):
            at = _angle_of(tokens, at)
            at = None if at is None else at - 1
        elif word == "]":
            at = opening_of(tokens, at)
            at = None if at is None else at - 1
        elif word == ")":
            at = opening_of(tokens, at)
            if not at or tokens[at - 1].kind != "name" or tokens[at - 1].text in _STATEMENTS:
                return at
            at -= 1
        elif tokens[at].kind != "name" or before is None:
            return at if tokens[at].kind == "name" else None
        elif before.text in (".", "->"):
            at -= 2
        elif before.text == "::":
            if at < 2 or tokens[at - 2].kind != "name" or tokens[at - 2].text in _STATEMENTS:
                return at - 1
            at -= 2
        else:
            return at
    return None
