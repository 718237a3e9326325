"""Rules for accesses out of bounds: a comparison that admits one too many, or a missing guard.

A guard is in the names of the source: the index as the line has it, and what `sizes` finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from grader.changes import Change, change_span
from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.sizes import Holders, SizePlace, choose, find_holders
from grader.simt.repairs.statements import LoopStep, indent_of, put_before

_BARRIER = re.compile(r"sync(?:threads|_threads|warp)|\.sync\(|shfl|ballot")
ASSIGNED = re.compile(r"[A-Za-z_]\w*(?=\s*(?:=(?!=)|[-+*/]=|\+\+|in\b))")
"""Names that a statement gives a value."""
_LOOSE = re.compile(r"(?<![<>=!-])(<=|>)(?![>=])")
"""Comparisons that are strict, or not, by one character."""


class _Access(NamedTuple):
    """An access in the source: where it is, and the text of each index."""

    start: int
    end: int
    indices: Sequence[str]


def propose_guards(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose what keeps away the threads whose element is not there."""
    path = [] if finding.file else scene.path(finding.line, finding.column)
    if not path:
        return
    yield from _tighten(path, scene)
    access = _find_access(finding, path[-1], scene)
    if access is None:
        return
    for inside in _conditions(finding, access, path, scene):
        if isinstance(inside, str):
            yield from _guard(path, access, inside, scene)


def explain_guard(finding: Finding, scene: RepairScene) -> Fact | None:
    """Say why no guard is proposed, if several arguments have the value of the size."""
    path = [] if finding.file else scene.path(finding.line, finding.column)
    access = _find_access(finding, path[-1], scene) if path else None
    if access is None:
        return None
    for each in _conditions(finding, access, path, scene):
        if not isinstance(each, str):
            return fact("advice.several-sizes", size=each.size, names=each.rivals)
    return None


def _tighten(path: Sequence[LoopStep], scene: RepairScene) -> Iterator[RepairCandidate]:
    """Make a comparison strict: of a condition around, or of an early return before."""
    for step in reversed(path):
        statement = step.statement
        if statement.kind in ("if", "loop"):
            yield from _compare(statement.head, "<=", "<", scene)
        for earlier in reversed(step.block.statements[: step.position]):
            if earlier.kind == "if" and earlier.blocks[0].statements[-1].kind == "return":
                yield from _compare(earlier.head, ">", ">=", scene)


def _compare(
    span: tuple[int, int], loose: str, strict: str, scene: RepairScene
) -> Iterator[RepairCandidate]:
    text = scene.source.text
    for match in _LOOSE.finditer(text, *span):
        if match[1] == loose:
            change = change_span(text, match.start(1), match.end(1), strict)
            line = scene.line_of(match.start(1))
            yield RepairCandidate(
                fact("repair.comparison", old=loose, new=strict, line=line), (change,)
            )


def _find_access(finding: Finding, step: LoopStep, scene: RepairScene) -> _Access | None:
    """Return the access of a finding's array in its statement, the nearest to its column."""
    statement = step.statement
    ends = statement.head if statement.kind in ("if", "loop") else (statement.start, statement.end)
    place = scene.source.offset(finding.line, finding.column)
    found = [
        _Access(start, end, indices)
        for start, end, array, indices in scene.source.find_subscripts(*ends)
        if array == finding.array
    ]
    return min(found, key=lambda each: abs(each.start - place), default=None)


def _conditions(
    finding: Finding, access: _Access, path: Sequence[LoopStep], scene: RepairScene
) -> Iterator[str | Holders]:
    """Yield conditions under which an element is there; holders where no name is determined."""
    shape = _shape(finding, scene)
    if shape is None:
        return
    logical = " && " if scene.is_cuda else " and "
    places = [SizePlace(index, path, scene) for index in access.indices]
    if len(places) == 1 and len(shape) == 1:
        yield from _row_conditions(places[0], shape[0], logical)
    if len(places) == len(shape) and len(finding.index) == len(shape):
        axes = [[*_below(finding, axis, size, places[axis])] for axis, size in enumerate(shape)]
        outside = [
            axis
            for axis, (index, size) in enumerate(zip(finding.index, shape, strict=True))
            if not 0 <= index < size
        ]
        yield from axes[outside[0]] if outside else ()
        every = [each[0] for each in axes if each and isinstance(each[0], str)]
        if len(axes) > 1 and len(every) == len(axes):
            yield logical.join(every)


def _shape(finding: Finding, scene: RepairScene) -> tuple[int, ...] | None:
    """Return the shape of an array that is an argument; of another one, as the finding has it."""
    if finding.array in scene.shapes and finding.space == "global":
        shape = scene.shapes[finding.array]
        return (prod(shape),) if scene.is_cuda else shape  # a pointer knows no rows
    numbers = re.findall(r"\d+", str(finding.what.fields.get("shape", "")))
    return tuple(map(int, numbers)) or None


def _below(finding: Finding, axis: int, size: int, place: SizePlace) -> Iterator[str | Holders]:
    """Yield conditions that an index is below the size of its axis."""
    holders = find_holders(finding, axis, size, place)
    index = _operand(place.text)
    if place.scene.is_cuda and finding.index[axis] < 0:
        yield f"{index} >= 0"
    yield from (f"{index} < {name}" for name in holders.names)
    if holders.rivals:
        yield holders


def _row_conditions(place: SizePlace, size: int, logical: str) -> Iterator[str | Holders]:
    """Yield conditions for an index like `row * columns + column` into a flat array."""
    numbers = place.scene.numbers
    for name, columns in numbers.items():
        split = _split_row(place.text, name)
        if split is None or columns <= 0 or size % columns:
            continue
        rows = size // columns
        others = [other for other, value in numbers.items() if value == rows and other != name]
        if rows == columns and not others:
            others = [name]
        row, column = map(_operand, split)
        holders = choose(rows, others, place._replace(text=row))
        for other in holders.names:
            yield f"{row} < {other}"
            yield f"{row} < {other}{logical}{column} < {name}"
            yield f"{column} < {name}"
        if holders.rivals:
            yield holders


def _split_row(index: str, columns: str) -> tuple[str, str] | None:
    """Split `row * columns + column`; None if the text is not of this form."""
    terms = _split_sum(index)
    row = re.compile(
        rf"\s*(.+?)\s*\*\s*{re.escape(columns)}\s*|\s*{re.escape(columns)}\s*\*\s*(.+)"
    )
    for at, term in enumerate(terms):
        if (found := row.fullmatch(term)) is not None:
            rest = [each.strip() for place, each in enumerate(terms) if place != at]
            return (found[1] or found[2], " + ".join(rest)) if rest else None
    return None


def _split_sum(text: str) -> list[str]:
    """Split a sum at the plus signs that are in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "+" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _operand(text: str) -> str:
    """Return an index as an operand of a comparison: arithmetic binds closer, all else does not."""
    text = text.strip()
    return text if not re.search(r"[<>&|^?=!~]|\b(?:and|or|not|if)\b", text) else f"({text})"


def _guard(
    path: Sequence[LoopStep], access: _Access, inside: str, scene: RepairScene
) -> Iterator[RepairCandidate]:
    """Propose the ways to put a condition into the source."""
    step, line = path[-1], scene.line_of(access.start)
    statement, text = step.statement, scene.source.text
    what = fact("repair.guard", condition=inside, line=line)
    branches = [each.statement for each in path[:-1] if each.statement.kind == "if"]
    for around in branches[-1:]:
        head = text[slice(*around.head)]
        logical = "&&" if scene.is_cuda else "and"
        joined = f"{_operand_of_and(head)} {logical} {inside}"
        yield RepairCandidate(what, (change_span(text, *around.head, joined),))
    body = scene.source.find_body(access.start)
    assert body is not None
    whole = text[body.statements[0].start : body.statements[-1].end]
    if statement.kind == "simple":
        yield RepairCandidate(what, (_wrap(step, inside, scene),))
    if not _BARRIER.search(whole):
        yield RepairCandidate(what, (_leave(_hoist(path, inside, scene), inside, scene),))
    assigned = re.match(r"\s*[-+*/&|^]?=(?!=)", text[access.end : statement.end])
    if assigned is None:
        read = text[access.start : access.end]
        chosen = f"({inside} ? {read} : 0)" if scene.is_cuda else f"({read} if {inside} else 0)"
        change = change_span(text, access.start, access.end, chosen)
        yield RepairCandidate(what, (change,))


def _operand_of_and(condition: str) -> str:
    """Return a condition as an operand of a logical `and`, which binds closer than `or`."""
    return f"({condition})" if re.search(r"\|\||[?,]|\bor\b|\bif\b", condition) else condition


def _hoist(path: Sequence[LoopStep], inside: str, scene: RepairScene) -> LoopStep:
    """Return the outermost statement around that assigns none of the names of a condition."""
    names = set(re.findall(r"[A-Za-z_]\w*", inside))
    found = path[-1]
    for step in reversed(path[:-1]):
        statement = step.statement
        if names & set(ASSIGNED.findall(scene.source.text, statement.start, statement.end)):
            break
        found = step
    return found


def _wrap(step: LoopStep, inside: str, scene: RepairScene) -> Change:
    """Put a statement below an `if`."""
    text, statement = scene.source.text, step.statement
    inner = text[statement.start : statement.end]
    if scene.is_cuda:
        new = f"if ({inside}) {inner}"
        return change_span(
            text, statement.start, statement.end, new if step.block.closed else f"{{ {new} }}"
        )
    indent = indent_of(text, statement.start)
    inner = inner.replace("\n", "\n    ")
    return change_span(text, statement.start, statement.end, f"if {inside}:\n{indent}    {inner}")


def _leave(step: LoopStep, inside: str, scene: RepairScene) -> Change:
    """Return before a statement."""
    new = f"if (!({inside})) return;" if scene.is_cuda else f"if not ({inside}):\n    return"
    if (simple := re.fullmatch(r"([^<>&|]+) < ([^<>&|]+)", inside)) and " and " not in inside:
        outside = f"{simple[1]} >= {simple[2]}"
        new = f"if ({outside}) return;" if scene.is_cuda else f"if {outside}:\n    return"
    return put_before(scene.source.text, step, new, braces=scene.is_cuda)
