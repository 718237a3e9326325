"""Which name of a source holds the size of an array: one is given only where the source says so.

A value alone does not tell several arguments apart: then the comparisons that the index is in do,
or the products.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairScene
from grader.simt.repairs.statements import LoopStep

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
