"""Known mistakes as edits of a kernel of the question: only the lines that differ.

An edit has one or more changes, each below a line `@@`; the first may name what it changes, as in
`@@ baseline`. Lines with `-` are replaced by those with `+`; lines with a blank in front stay, and
tell similar places apart. A change must fit exactly one place of the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from grader.facts import Fact, fact

_HEAD = "@@"
BASES = ("solution", "baseline", "starter")
"""The kernels that can be edited; `write_edit` tries them in this order."""
_LONGEST_SHARE = 0.7
"""Of the kernel's lines: a longer edit is harder to read than the kernel."""


class EditFault(Exception):
    """An edit that cannot be applied; `line` of it is at fault, from 1."""

    def __init__(self, what: Fact, line: int) -> None:
        super().__init__(what.bare())
        self.what = what
        self.line = line


class _Change(NamedTuple):
    """Lines that are there, and those in their place; `line` of the edit where they begin."""

    old: list[str]
    new: list[str]
    line: int


def apply_edit(edit: str, kernels: Mapping[str, str]) -> str:
    """Return the kernel that an edit makes.

    `kernels`: what can be edited, by name.

    Raises EditFault: it is not an edit, or fits no place or several.
    """
    base, changes = _parse(edit)
    if base not in kernels:
        raise EditFault(fact("edit.no-base", name=base, known=tuple(kernels)), 1)
    lines = kernels[base].replace("\r\n", "\n").split("\n")
    places = [(_find(change, lines, base), change) for change in changes]
    places.sort(key=lambda place: place[0])
    for (start, change), (following, later) in pairwise(places):
        if start + len(change.old) > following:
            raise EditFault(fact("edit.overlap", line=change.line), later.line)
    for start, change in reversed(places):
        lines[start : start + len(change.old)] = change.new
    return "\n".join(lines)


def _parse(edit: str) -> tuple[str, list[_Change]]:
    base, changes = BASES[0], list[_Change]()
    for number, line in enumerate(edit.removesuffix("\n").split("\n"), 1):
        sign, rest = line[:1], line[1:]
        if line.startswith(_HEAD):
            named = line.removeprefix(_HEAD).strip()
            if named and changes:
                raise EditFault(fact("edit.late-base"), number)
            base = named or base
            changes.append(_Change([], [], number))
        elif not changes or sign not in ("", " ", "-", "+"):
            raise EditFault(fact("edit.line", text=line), number)
        else:
            if sign != "+":
                changes[-1].old.append(rest)
            if sign != "-":
                changes[-1].new.append(rest)
    return base, changes


def _find(change: _Change, lines: Sequence[str], base: str) -> int:
    """Return the only place where a change fits."""
    old = change.old
    if not old:
        raise EditFault(fact("edit.nothing-old"), change.line)
    found = _places(old, lines)
    if not found:
        missing = next((line for line in old if line not in lines), old[0])
        raise EditFault(fact("edit.moved", text=missing.strip(), base=base), change.line)
    if len(found) > 1:
        text, n = old[0].strip(), len(found)
        raise EditFault(fact("edit.several", text=text, base=base, n=n), change.line)
    return found[0]


def write_edit(source: str, kernels: Mapping[str, str]) -> str:
    """Return the shortest edit that makes a kernel; "" if none is short enough."""
    lines = source.split("\n")
    edits = [
        _edit(base, kernels[base].split("\n"), lines)
        for base in BASES
        if base in kernels and source.endswith("\n") and kernels[base].endswith("\n")
    ]
    best = min(edits, key=len, default=[])
    return "\n".join([*best, ""]) if 0 < len(best) <= _LONGEST_SHARE * len(lines) else ""


class _Span(NamedTuple):
    """Lines `start` to `end` of what is edited, and those of the kernel in their place."""

    start: int
    end: int
    first: int
    last: int


def _edit(base: str, before: list[str], after: list[str]) -> list[str]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    spans = [_Span(*code[1:]) for code in matcher.get_opcodes() if code[0] != "equal"]
    spans = _merge([_grow(span, before) for span in spans])
    head = _HEAD if base == BASES[0] else f"{_HEAD} {base}"
    written = []
    for span in spans:
        written += [head, *_lines(before[span.start : span.end], after[span.first : span.last])]
        head = _HEAD
    return written


def _grow(span: _Span, before: list[str]) -> _Span:
    """Add lines around a span until it fits one place only."""
    upward = True
    while span.start == span.end or len(_places(before[span.start : span.end], before)) > 1:
        up, down = span.start > 0, span.end < len(before) - 1
        if up and (upward or not down):
            span = span._replace(start=span.start - 1, first=span.first - 1)
        elif down:
            span = span._replace(end=span.end + 1, last=span.last + 1)
        else:
            break
        upward = not upward
    return span


def _places(part: list[str], whole: Sequence[str]) -> list[int]:
    """Return where a part begins in the whole."""
    return [at for at in range(len(whole) - len(part) + 1) if whole[at : at + len(part)] == part]


def _merge(spans: list[_Span]) -> list[_Span]:
    merged = spans[:1]
    for span in spans[1:]:
        last = merged[-1]
        if span.start <= last.end:
            merged[-1] = last._replace(end=span.end, last=span.last)
        else:
            merged.append(span)
    return merged


def _lines(old: list[str], new: list[str]) -> list[str]:
    """Write what is replaced with its signs; what is equal stays."""
    written = []
    for kind, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            written += [f" {line}" if line else "" for line in old[i:j]]
        else:
            written += [f"-{line}" for line in old[i:j]]
            written += [f"+{line}" for line in new[k:n]]
    if written[-1] == "":  # a block of YAML loses blank lines at its end
        written[-1:] = ["-", "+"]
    return written
