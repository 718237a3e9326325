"""Changes of a kernel's text by rule, one at a time, none of which moves a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from grader.changes import Change, change_span
from grader.facts import Fact
from grader.probes.replaying import CannotReplay, Replay
from grader.simt.repairs.barriers import ANY_BARRIER, BLOCK_BARRIER
from grader.simt.repairs.cheaper import find_row_lengths
from grader.simt.repairs.statements import KernelStatement, Suite, put_after, put_before

LOOSE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_COMPARISON = re.compile(r"(?<![<>=!-])(?:<=|>=|<|>)(?![<>=])")
_INTEGER = re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])")
_AXIS = re.compile(r"\b((?:cuda\.)?threadIdx)\.([xy])\b")
_FACTOR = re.compile(r"(?:[*/%]|<<|>>)=?\s*$")
_LEAST_SIZE = 4
_MOST_INTEGER = 4096
"""Larger constants are masks, seeds and the like."""


def mistype(number: int, before: str) -> int | None:
    """Return what a number is mistaken for: one more or less, or half of a size; None for nothing.

    `before`: the code that stands before it. A factor of 2, and a shift, are not mistyped.
    """
    if number > _MOST_INTEGER:
        return None
    if number < _LEAST_SIZE:
        return None if _FACTOR.search(before) else number + 1
    if not number & (number - 1):
        return number // 2
    return number - 1 if not (number - 1) & (number - 2) else number + 1


class ProbeEdit(NamedTuple):
    """One change.

    Attributes:
        old, new: the text before it and after it, of the part that differs.
        kind: a condition, a barrier or another part that is dropped, or a text in place of another.
    """

    line: int
    old: str
    new: str
    change: Change
    kind: Literal["guard", "barrier", "slip", "drop"] = "slip"

    @property
    def said(self) -> Fact:
        """What it does, in words."""
        return Fact(
            f"probe.edit.{self.kind}", {"line": self.line, "old": self.old, "new": self.new}
        )


class ProbedText:
    """The text of a kernel's file, and where its kernel is in it."""

    def __init__(self, replay: Replay) -> None:
        """Find the kernel.

        Raises:
            CannotReplay: its body is not found, or is empty.
        """
        self.text, self.scene = replay.text, replay.scene
        self.is_cuda = replay.is_cuda
        self._start = self.scene.source.offset(*replay.kernel.function.start)
        if self.is_cuda:
            self._start = self.text.find("{", self._start) + 1
        body = self.scene.source.find_body(self._start)
        if body is None:
            raise CannotReplay("no-source")
        if not body.statements:
            raise CannotReplay("small")
        self._body: Suite = body

    @property
    def head(self) -> int:
        """The line of the kernel's name, or of what stands before it."""
        return self._line(self._begin)

    @property
    def last(self) -> int:
        """The last line of the kernel."""
        end = self._body.statements[-1].end
        if self.is_cuda:
            end = max(end, self.text.find("}", end))
        return self._line(max(0, end - 1))

    @cached_property
    def _begin(self) -> int:
        """Where the kernel's declaration begins, with its decorators or its template."""
        if self.is_cuda:
            at = max(0, self.text.rfind("__global__", 0, self._start))
            at = self.text.rfind("\n", 0, at) + 1
            above = self.text.rfind("\n", 0, max(0, at - 1)) + 1
            return above if self.text.startswith("template", above) else at
        at = self.text.rfind("\n", 0, self._start) + 1
        while (line := self.text.rfind("\n", 0, max(0, at - 1)) + 1) < at:
            if not self.text[line:at].lstrip().startswith("@"):
                break
            at = line
        return at

    @property
    def numbers(self) -> Iterator[int]:
        """The numbers that stand in the text of the kernel."""
        lines = self.text.split("\n")[self.head - 1 : self.last]
        return map(int, re.findall(r"(?<!\w)\d+(?!\w)", "\n".join(lines)))

    def code(self, line: int) -> str:
        """Return a line of the file without the blanks around it."""
        lines = self.text.split("\n")
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    def guards(self) -> Iterator[ProbeEdit]:
        """Yield each condition that is dropped: its body always runs, or its return never."""
        for each in self._walk(self._body):
            if each.kind != "if" or len(each.blocks) != 1:
                continue
            inner = each.blocks[0].statements
            leaves = len(inner) == 1 and inner[0].kind == "return"
            word = str(not leaves)
            edit = self._edit(*each.head, word.lower() if self.is_cuda else word)
            yield edit._replace(kind="guard")

    def barriers(self) -> Iterator[ProbeEdit]:
        """Yield each barrier that is dropped."""
        for each in self._walk(self._body):
            if each.kind == "simple" and ANY_BARRIER.fullmatch(self.text, each.start, each.end):
                edit = self._edit(each.start, each.end, ";" if self.is_cuda else "pass")
                yield edit._replace(kind="barrier")

    def more_barriers(self, line: int, column: int) -> Iterator[Change]:
        """Yield a barrier behind the statement at a place, and before those around it."""
        path = self.scene.path(line, column)
        barrier = BLOCK_BARRIER[self.is_cuda]
        if path:
            yield put_after(self.text, path[-1], barrier, braces=self.is_cuda)
        for step in reversed(path):
            yield put_before(self.text, step, barrier, braces=self.is_cuda)

    def slips(self) -> Iterator[ProbeEdit]:
        """Yield what is mistyped easily: comparisons, integers, and axes of threads."""
        yield from filter(self._is_told_by_its_text, self._all_slips())

    def _is_told_by_its_text(self, edit: ProbeEdit) -> bool:
        """Return True if what is replaced stands only once in its line."""
        line = self.text.split("\n")[edit.line - 1]
        word = re.escape(edit.old)
        return len(re.findall(rf"(?<![\w.<>=]){word}(?![\w.<>=])", line)) == 1

    def _all_slips(self) -> Iterator[ProbeEdit]:
        for start, end in self._own_spans():
            for found in _COMPARISON.finditer(self.text, start, end):
                yield self._edit(*found.span(), LOOSE[found[0]])
            for found in _INTEGER.finditer(self.text, start, end):
                other = mistype(int(found[0]), self.text[start : found.start()])
                if other is not None:
                    yield self._edit(*found.span(), str(other))
            for found in _AXIS.finditer(self.text, start, end) if self._has_axes else ():
                axis = "y" if found[2] == "x" else "x"
                yield self._edit(*found.span(), f"{found[1]}.{axis}")

    @cached_property
    def _has_axes(self) -> bool:
        """True if the kernel has threads in x and in y: else nobody takes one for the other."""
        text = "\n".join(self.text.split("\n")[self.head - 1 : self.last])
        return {found[2] for found in _AXIS.finditer(text)} == {"x", "y"}

    def pitches(self, array: str, columns: int) -> Iterator[ProbeEdit]:
        """Yield an array with rows of so many elements, for each place that declares it."""
        for span in find_row_lengths(array, self.scene):
            yield self._edit(*span, str(columns))

    def types(self, old: str, new: str) -> Iterator[Change]:
        """Yield the changes that put one type in place of another, from the kernel's head on."""
        end = self._body.statements[-1].end
        for found in re.compile(rf"\b{old}\b").finditer(self.text, self._begin, end):
            yield change_span(self.text, *found.span(), new)

    def _own_spans(self) -> Iterator[tuple[int, int]]:
        """Yield where the text of each statement is, without that of statements in it."""
        for each in self._walk(self._body):
            if each.kind in ("if", "loop"):
                yield each.head
            elif not each.blocks and not ANY_BARRIER.fullmatch(self.text, each.start, each.end):
                yield each.start, each.end

    def _walk(self, block: Suite) -> Iterator[KernelStatement]:
        for each in block.statements:
            yield each
            for inner in each.blocks:
                yield from self._walk(inner)

    def _edit(self, start: int, end: int, new: str) -> ProbeEdit:
        change = change_span(self.text, start, end, new)
        return ProbeEdit(self._line(start), self.text[start:end].strip(), new, change)

    def _line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1
