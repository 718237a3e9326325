"""Rules for launches without faults that cost more than they must.

A pitch of one element more, where rows begin in the same banks; one atomic for a thread in place of
one for each iteration of its loop; one for a warp in place of one for each lane.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grader.changes import change_span
from grader.facts import fact
from grader.simt.launches.reports import Launch
from grader.simt.repairs.atomics import find_update
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.guards import ASSIGNED
from grader.simt.repairs.statements import KernelStatement, LoopStep, Suite, put_after, put_before

_KINDS = ("load", "store", "atomic")
_SHARED = tuple(f"shared_{kind}_wavefronts" for kind in _KINDS)
_CONFLICTS = tuple(f"shared_{kind}_conflicts" for kind in _KINDS)
_ATOMICS = ("shared_atomic_lanes", "global_atomic_lanes")
_ACCESSES = tuple(f"{space}_{kind}_requests" for space in ("shared", "global") for kind in _KINDS)
_CUDA_TYPES = {"float32": "float", "float64": "double", "int32": "int", "uint32": "unsigned int"}
_SUM = "own_sum"
"""What a thread's own sum is called."""
_CUDA_SUM = (
    "for (int offset = 16; offset > 0; offset /= 2)",
    f"    {_SUM} += __shfl_down_sync(0xffffffff, {_SUM}, offset);",
    "if (threadIdx.x % 32 == 0) …",
)
_NUMBA_SUM = (
    "for step in range(5):",
    f"    {_SUM} += cuda.shfl_down_sync(0xffffffff, {_SUM}, 16 >> step)",
    "if cuda.threadIdx.x % 32 == 0:",
    "    …",
)
"""Of a warp; `…` is the statement that adds it to the element."""
_CUDA_ATOMIC = re.compile(r"atomicAdd\s*\(\s*(?P<at>[^;]+?)\s*,\s*(?P<value>[^;]+)\)\s*;")
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBA_ATOMIC = re.compile(
    r"cuda\.atomic\.add\(\s*(?P<at>\w+\s*,\s*(?:\([^()]*\)|[^,]+?))\s*,\s*(?P<value>.+)\)",
    re.DOTALL,
)


class Cheaper(NamedTuple):
    """Changes that may make a launch cheaper.

    Attributes:
        array: whose accesses they are for.
        subject: what the counters count together.
        counters: whose sum is to fall.
        rounds: True if sums may be in another order.
    """

    candidate: RepairCandidate
    array: str
    subject: str
    counters: tuple[str, ...]
    rounds: bool = False


def propose_cheaper(done: Launch, scene: RepairScene) -> Iterator[Cheaper]:
    """Propose changes for what a launch counted."""
    if any(done.totals.get(name) for name in _CONFLICTS):
        for array in done.shared:
            if len(array.shape) > 1:
                yield from _pad(array.label, array.shape[-1], scene)
            elif array.shape:
                yield from _pad_flat(array.label, scene)
    lines = dict.fromkeys(
        line
        for (line, _), counts in done.counts.items()
        if any(
            counts.get(name, 0) for name in (*_ATOMICS, "shared_store_lanes", "global_store_lanes")
        )
    )
    for line in lines:
        yield from _accumulate(line, scene)
    for line in lines:
        yield from _reduce(line, scene)


def find_row_lengths(array: str, scene: RepairScene) -> Iterator[tuple[int, int]]:
    """Yield where a shared array is declared with the length of its rows: that text alone."""
    text, name = scene.source.text, re.escape(array)
    declared = rf"\b{name}\s*(?:\[[^\]]+\])*\[\s*(?P<last>[^\]]+?)\s*\]\s*[;,]"
    if not scene.is_cuda:
        shape = r"(?:shape\s*=\s*)?\([^()]*,\s*(?P<last>[^,()]+?)\s*,?\s*\)"
        declared = rf"\b{name}\s*=\s*\S*shared\.array\(\s*{shape}"
    for found in re.finditer(declared, text):
        yield found.span("last")


def _pad(array: str, columns: int, scene: RepairScene) -> Iterator[Cheaper]:
    """Make the rows of a shared array one element longer, where it is declared."""
    text = scene.source.text
    for start, end in find_row_lengths(array, scene):
        last = text[start:end]
        new = str(int(last) + 1) if last.isdecimal() else f"{last} + 1"
        change = change_span(text, start, end, new)
        what = fact("repair.pitch", array=array, pitch=columns + 1, line=scene.line_of(start))
        yield Cheaper(RepairCandidate(what, (change,)), array, "shared_wavefronts", _SHARED)


def _pad_flat(array: str, scene: RepairScene) -> Iterator[Cheaper]:
    """Make the rows of a flat array one element longer: in its size, and where it is indexed."""
    text, name = scene.source.text, re.escape(array)
    declared = re.search(rf"\b{name}\s*\[(?P<size>[^\]]+)\]\s*[;,]", text)
    if not scene.is_cuda:
        declared = re.search(rf"\b{name}\s*=\s*\S*shared\.array\(\s*(?P<size>[^,()]+)", text)
    if declared is None:
        return
    spans = [
        (start, end)
        for start, end, label, indices in scene.source.find_subscripts(0, len(text))
        if label == array and len(indices) == 1 and start != declared.start()
    ]
    used = [set(re.findall(r"\*\s*(\w+)", text[slice(*span)])) for span in spans]
    for row in sorted(set.intersection(*used)) if used else ():
        longer = str(int(row) + 1) if row.isdecimal() else f"({row} + 1)"
        factor = re.compile(rf"(?<=\*)(\s*){row}\b")
        size = factor.sub(rf"\g<1>{longer}", declared["size"])
        if declared["size"].isdecimal() and row.isdecimal():
            size = str(int(declared["size"]) // int(row) * (int(row) + 1))
        changes = [change_span(text, *declared.span("size"), size)]
        changes += [
            change_span(text, *match.span(), f"{match[1]}{longer}")
            for span in spans
            for match in factor.finditer(text, *span)
        ]
        what = fact("repair.pitch-flat", array=array, row=row, longer=longer.strip("()"))
        candidate = RepairCandidate(what, tuple(changes))
        yield Cheaper(candidate, array, "shared_wavefronts", _SHARED)


class _Addition(NamedTuple):
    """A statement that adds to an element: the innermost step, the element, and the value."""

    path: list[LoopStep]
    at: str
    value: str
    atomic: bool

    @property
    def array(self) -> str:
        found = _NAME.search(self.at)
        return found[0] if found else ""


def _accumulate(line: int, scene: RepairScene) -> Iterator[Cheaper]:
    """Add up in a register, where a loop adds to one element in each iteration."""
    for addition in _find_additions(line, scene):
        for depth in range(len(addition.path) - 2, -1, -1):
            loop = addition.path[depth]
            if loop.statement.kind == "loop":
                yield from _accumulate_in(loop, addition, scene)
                break


def _accumulate_in(loop: LoopStep, addition: _Addition, scene: RepairScene) -> Iterator[Cheaper]:
    text, step = scene.source.text, addition.path[-1]
    declaration = _declare_sum(addition.array, "", scene)
    changed = ASSIGNED.findall(text, loop.statement.start, loop.statement.end)
    if declaration is None or set(changed) & set(_NAME.findall(addition.at)):
        return
    end = ";" if scene.is_cuda else ""
    added = f"{_SUM} += {addition.value}{end}"
    changes = (
        put_before(text, loop, declaration, braces=scene.is_cuda),
        change_span(text, step.statement.start, step.statement.end, added),
        put_after(text, loop, _add(addition, _SUM, scene), braces=scene.is_cuda),
    )
    what = fact("repair.register", line=scene.line_of(step.statement.start), array=addition.array)
    counters, subject = (_ATOMICS, "atomic_lanes") if addition.atomic else (_ACCESSES, "requests")
    yield Cheaper(RepairCandidate(what, changes), addition.array, subject, counters, rounds=True)


def _reduce(line: int, scene: RepairScene) -> Iterator[Cheaper]:
    """Add up within each warp, and let one of its lanes add the sum."""
    text = scene.source.text
    for addition in _find_additions(line, scene):
        step, value = addition.path[-1], addition.value
        around = addition.path[-2] if len(addition.path) > 1 else step
        if around.statement.kind == "if" and _is_alone(around.statement):
            condition = text[slice(*around.statement.head)]
            zero = _zero(addition.array, scene)
            value = (
                f"{condition} ? {value} : {zero}"
                if scene.is_cuda
                else f"{value} if {condition} else {zero}"
            )
            step = around
        begin = step.statement.start
        indent = text[text.rfind("\n", 0, begin) + 1 : begin]
        declared = _declare_sum(addition.array, value, scene)
        if declared is None or not addition.atomic or not step.block.closed or indent.strip():
            continue
        lines = _CUDA_SUM if scene.is_cuda else _NUMBA_SUM
        added = _add(addition, _SUM, scene)
        new = "\n".join((declared, *lines)).replace("…", added).replace("\n", f"\n{indent}")
        what = fact("repair.warp-sum", line=scene.line_of(begin), array=addition.array)
        change = change_span(text, begin, step.statement.end, new)
        candidate = RepairCandidate(what, (change,))
        yield Cheaper(candidate, addition.array, "atomic_lanes", _ATOMICS, rounds=True)


def _is_alone(statement: KernelStatement) -> bool:
    """Return True for an `if` around a single statement, without `else`."""
    return len(statement.blocks) == 1 and len(statement.blocks[0].statements) == 1


def _find_additions(line: int, scene: RepairScene) -> Iterator[_Addition]:
    """Yield the statement of a line that adds to an element, if it is one."""
    start = scene.source.offset(line, 1)
    text = scene.source.text
    stop = text.find("\n", start) + 1 or len(text)
    body = next(filter(None, map(scene.source.find_body, range(start, stop, 4))), None)
    for path in _paths(body, []) if body else ():
        statement = path[-1].statement
        if statement.blocks or not start <= statement.start < stop:
            continue
        atomic = _CUDA_ATOMIC if scene.is_cuda else _NUMBA_ATOMIC
        if found := atomic.fullmatch(text, statement.start, statement.end):
            yield _Addition(path, found["at"].strip(), found["value"].strip(), atomic=True)
        for array in scene.dtypes:
            update = find_update(array, statement, scene)
            if update is not None and update.sign == "+":
                yield _Addition(path, update.element, update.value, atomic=False)


def _paths(block: Suite, above: list[LoopStep]) -> Iterator[list[LoopStep]]:
    for position, statement in enumerate(block.statements):
        path = [*above, LoopStep(block, position)]
        yield path
        for inner in statement.blocks:
            yield from _paths(inner, path)


def _add(addition: _Addition, value: str, scene: RepairScene) -> str:
    """Write the statement that adds a value to the element."""
    if not addition.atomic:
        return f"{addition.at} += {value}" + (";" if scene.is_cuda else "")
    if scene.is_cuda:
        return f"atomicAdd({addition.at}, {value});"
    return f"cuda.atomic.add({addition.at}, {value})"


def _declare_sum(array: str, value: str, scene: RepairScene) -> str | None:
    """Write the declaration of a sum of an array's type; None where that has no name."""
    zero = _zero(array, scene)
    if _SUM in scene.source.text or zero is None:
        return None
    if scene.is_cuda:
        return f"{_CUDA_TYPES[scene.dtypes[array]]} {_SUM} = {value or zero};"
    return f"{_SUM} = {value or zero}"


def _zero(array: str, scene: RepairScene) -> str | None:
    """Write a zero of the type of an array's elements; None where that has no name."""
    dtype = scene.dtypes.get(array, "")
    if scene.is_cuda:
        return "0" if dtype in _CUDA_TYPES else None
    if re.search(rf"^from numba import .*\b{dtype}\b", scene.source.text, re.MULTILINE):
        return f"{dtype}(0)"
    named = re.search(r"^import (?:numpy as )?(np|numba)$", scene.source.text, re.MULTILINE)
    return f"{named[1]}.{dtype}(0)" if named else None
