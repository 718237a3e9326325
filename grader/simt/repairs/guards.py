"""Rules for accesses out of bounds: a comparison that admits one too many, or a missing guard.

A guard is in the names of the source: the index as the line has it, and the name that
holds the size of the array, which is given only where the source says so. A value alone does not
tell several arguments apart: then the comparisons that the index is in do, or the products.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from grader.changes import Change, change_span
from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.statements import LoopStep, indent_of, put_before

_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*")
_CLAUSE = re.compile(r"&&|\|\||[;?]|\b(?:and|or)\b")
_COMPARISON = re.compile(r"(?<![<>-])[<>](?![<>])|[!=]=|\bin\b")


class Holders(NamedTuple):
    """The names that hold a size, or the arguments of its value where nothing tells which.

    Attributes:
        names: any of them is right; one of an argument comes first.
        rivals: several arguments, if `names` is empty.
    """

    size: int
    names: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()


class SizePlace(NamedTuple):
    """Where an index is: its text, and the statements around it."""

    text: str
    path: Sequence[LoopStep]
    scene: RepairScene


def find_holders(finding: Finding, axis: int, size: int, place: SizePlace) -> Holders:
    """Return what holds the size of an axis of the array of a finding."""
    scene = place.scene
    if declared := tuple(_declared(finding.array, axis, place)):
        return Holders(size, declared)
    found = choose(size, [name for name, value in scene.numbers.items() if value == size], place)
    if not scene.is_cuda and finding.array in scene.shapes:
        return Holders(size, (*found.names, f"{finding.array}.shape[{axis}]"))
    return found


def choose(size: int, arguments: Sequence[str], place: SizePlace) -> Holders:
    """Choose among arguments whose value is the size that an index must be below."""
    if any(name in arguments for name in _factors(place)):
        # The size is a product with this argument, and it is not given: the array is too small.
        return _undetermined(size, arguments)
    left = list(arguments)
    index = set(_NAME.findall(place.text)) - set(arguments)
    for tells in (_compared(_heads_around(place), index, place.scene), _unscaled(index, place)):
        told = [name for name in left if tells(name)]
        left = told or left
    return Holders(size, tuple(left)) if len(left) == 1 else _undetermined(size, left)


def _undetermined(size: int, arguments: Sequence[str]) -> Holders:
    return Holders(size, (), tuple(arguments) if len(arguments) > 1 else ())


def _declared(array: str, axis: int, place: SizePlace) -> Iterator[str]:
    """Yield the text of a dimension of an array that the kernel, or the device, declares."""
    scene, text = place.scene, _body_text(place)
    if scene.is_cuda:
        array_of = rf"\b[\w>]+\s+{re.escape(array)}\s*((?:\[[^\]]+\])+)\s*;"
        of_device = rf"__(?:device|constant|managed)__[^;{{}}]*{array_of}"
        found = re.search(array_of, text) or re.search(of_device, scene.source.text)
        parts = re.findall(r"\[([^\]]+)\]", found[1]) if found else []
    else:
        found = re.search(rf"\b{re.escape(array)}\s*=\s*\S*array\(\s*(\([^)]*\)|\w+)", text)
        parts = found[1].strip("()").split(",") if found else []
    if axis < len(parts) and parts[axis].strip() != "0":
        yield parts[axis].strip()


def _factors(place: SizePlace) -> set[str]:
    """Return the names that an index, or what its variables are set to, is a product with."""
    text, seen = place.text, set[str]()
    source = _body_text(place)
    while new := set(_NAME.findall(text)) - seen:
        seen |= new
        for name in new:
            values = re.findall(rf"(?<![\w.]){re.escape(name)}\s*=(?!=)([^;\n]*)", source)
            text += f" {values[0]}" if len(values) == 1 else ""
    factors = rf"\*\s*({_NAME.pattern})", rf"({_NAME.pattern})\s*\*"
    return {name for factor in factors for name in re.findall(factor, text)}


def _body_text(place: SizePlace) -> str:
    statements = place.path[0].block.statements
    return place.scene.source.text[statements[0].start : statements[-1].end]


def _heads_around(place: SizePlace) -> Iterator[tuple[int, int]]:
    """Yield where the conditions are that decide whether an index is reached."""
    for step in place.path:
        if step.statement.kind in ("if", "loop"):
            yield step.statement.head
        for earlier in step.block.statements[: step.position]:
            if earlier.kind == "if" and earlier.blocks[0].statements[-1].kind == "return":
                yield earlier.head


def _compared(
    heads: Iterator[tuple[int, int]], index: set[str], scene: RepairScene
) -> Callable[[str], bool]:
    """Return what tells whether a name is compared with a variable of an index."""
    found = set[str]()
    for head in heads:
        for clause in _CLAUSE.split(scene.source.text[slice(*head)]):
            sides = [set(_NAME.findall(side)) for side in _COMPARISON.split(clause, maxsplit=1)]
            for one, other in (sides, sides[::-1]) if len(sides) == 2 else ():
                found |= one if other & index else set()
    return found.__contains__


def _unscaled(index: set[str], place: SizePlace) -> Callable[[str], bool]:
    """Return what tells whether a name is no factor of an index's variable: no row's length."""
    text = _body_text(place)

    def tells(name: str) -> bool:
        pairs = ((variable, name) for variable in index)
        return not any(
            re.search(rf"(?<![\w.]){re.escape(one)}\s*\*\s*{re.escape(other)}\b", text)
            for pair in pairs
            for one, other in (pair, pair[::-1])
        )

    return tells


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
