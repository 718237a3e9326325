"""The statements of a function as spans of its text, alike for Python and CUDA C++.

Owns where a line can be put in and how it is indented. What a statement means is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from grader.changes import Change, change_span

Kind = Literal["simple", "declaration", "return", "if", "loop", "other"]
_PRAGMAS = re.compile(r"(?:^[ \t]*#[ \t]*pragma\b.*\n)+\Z", re.MULTILINE)
"""Lines of pragmas, at the end of what is searched."""


@dataclass(frozen=True)
class KernelStatement:
    """A statement.

    Attributes:
        start, end: where it is in the text.
        head: of an `if` or a loop, where its condition is, or all that `for` has; else empty.
        blocks: what it contains: the body, then what is behind `else`.
    """

    kind: Kind
    start: int
    end: int
    head: tuple[int, int] = (0, 0)
    blocks: tuple[Suite, ...] = ()


@dataclass(frozen=True)
class Suite:
    """Statements in a row.

    Attributes:
        closed: False for a single statement without braces, or in the line of a Python `if`.
    """

    statements: tuple[KernelStatement, ...]
    closed: bool = True


class LoopStep(NamedTuple):
    """A statement on the way from a function's body down to a place."""

    block: Suite
    position: int

    @property
    def statement(self) -> KernelStatement:
        """The statement."""
        return self.block.statements[self.position]


def find_path(body: Suite, offset: int) -> list[LoopStep]:
    """Return the statements around a place, the innermost last."""
    path: list[LoopStep] = []
    block: Suite | None = body
    while block is not None:
        found = [
            index for index, each in enumerate(block.statements) if each.start <= offset < each.end
        ]
        if not found:
            break
        path.append(LoopStep(block, found[0]))
        block = next((each for each in path[-1].statement.blocks if _holds(each, offset)), None)
    return path


def _holds(block: Suite, offset: int) -> bool:
    return any(each.start <= offset < each.end for each in block.statements)


def find_loops(path: list[LoopStep]) -> Iterator[KernelStatement]:
    """Yield the loops around the last statement of a path, the innermost first."""
    for step in reversed(path[:-1]):
        if step.statement.kind == "loop":
            yield step.statement


def indent_of(text: str, offset: int) -> str:
    """Return the blanks that the line of a place begins with."""
    line = text[text.rfind("\n", 0, offset) + 1 :].partition("\n")[0]
    return line[: len(line) - len(line.lstrip(" \t"))]


def put_before(text: str, step: LoopStep, new: str, *, braces: bool) -> Change:
    """Make the change that puts a statement before another one.

    Args:
        braces: the language needs them around several statements.
    """
    each = step.statement
    if not step.block.closed and braces:
        return change_span(text, each.start, each.end, f"{{ {new} {text[each.start : each.end]} }}")
    begin = text.rfind("\n", 0, each.start) + 1
    if text[begin : each.start].strip():
        separator = " " if braces else "; "
        return change_span(text, each.start, each.start, f"{new}{separator}")
    indent = text[begin : each.start]
    new = new.replace("\n", f"\n{indent}")
    pragmas = _PRAGMAS.search(text, 0, begin) if braces else None
    if pragmas:  # such as `#pragma unroll`, which is of the next statement
        return change_span(text, pragmas.start(), pragmas.start(), f"{indent}{new}\n")
    return change_span(text, each.start, each.start, f"{new}\n{indent}")


def put_after(text: str, step: LoopStep, new: str, *, braces: bool) -> Change:
    """Make the change that puts a statement behind another one; see `put_before`."""
    each = step.statement
    if not step.block.closed and braces:
        return change_span(text, each.start, each.end, f"{{ {text[each.start : each.end]} {new} }}")
    line_end = text.find("\n", each.end)
    line_end = len(text) if line_end < 0 else line_end
    begin = text.rfind("\n", 0, each.start) + 1
    if text[begin : each.start].strip() or text[each.end : line_end].strip():
        separator = " " if braces else "; "
        return change_span(text, each.end, each.end, f"{separator}{new}")
    return change_span(text, each.end, each.end, f"\n{text[begin : each.start]}{new}")
