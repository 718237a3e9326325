"""Rules for threads that update one element at a time: an atomic in place of a read and a write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grader.changes import Change, change_span
from grader.facts import fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.statements import KernelStatement


class ProposedAtomic(NamedTuple):
    """A statement that updates an element: where it is, the element, the operator, the value."""

    start: int
    end: int
    element: str
    sign: str
    value: str


_ELEMENT = r"(?:\*\s*{0}|\(\*\s*{0}\)|{0}(?:\s*\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)"
"""An element of an array: `*a`, `(*a)`, `a[i][b[j]]`, or the variable `a`."""
_UPDATES = (
    r"(?P<at>{at})\s*(?P<sign>[-+&|^])=(?!=)\s*(?P<value>.+?)\s*;?",
    r"(?P<at>{at})\s*=\s*(?P=at)\s*(?P<sign>[-+&|^])\s*(?P<value>[^-+&|^?]+?)\s*;?",
    r"(?P<at>{at})\s*=\s*f?(?P<sign>max|min)f?\(\s*(?P=at)\s*,\s*(?P<value>.+)\)\s*;?",
    r"(?P<at>{at})\s*(?P<sign>\+)(?P<value>\+)\s*;?",
    r"(?P<sign>\+)(?P<value>\+)\s*(?P<at>{at})\s*;?",
)
_CUDA = {"+": "Add", "-": "Sub", "&": "And", "|": "Or", "^": "Xor", "max": "Max", "min": "Min"}
_NUMBA = {"+": "add", "-": "sub", "&": "and_", "|": "or_", "^": "xor", "max": "max", "min": "min"}


def propose_atomics(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose an atomic for each update of the racing array in the two lines of a finding."""
    if finding.file or finding.other_file:
        return
    places = dict.fromkeys(
        [(finding.line, finding.column), (finding.other_line, finding.other_column)]
    )
    changes = [change for place in places if (change := _change(finding.array, place, scene))]
    if changes:
        line = changes[0].place
        yield RepairCandidate(fact("repair.atomic", line=line), tuple(dict.fromkeys(changes)))


def _change(array: str, place: tuple[int, int], scene: RepairScene) -> Change | None:
    """Return the change of the update at a place; None if there is none."""
    path = scene.path(*place) if place[0] else []
    if not path:
        return None
    statement, text = path[-1].statement, scene.source.text
    update = find_update(array, statement, scene)
    if update is not None:
        call = _call(update.element, update.sign, update.value, scene)
        new = f"{call};" if scene.is_cuda else call
        return change_span(text, statement.start, statement.end, new)
    at = _ELEMENT.format(re.escape(array))
    whole = text[statement.start : statement.end]
    counted = re.search(rf"(?<![\w.]){at}\s*\+\+", whole) if scene.is_cuda else None
    if counted is None:
        return None
    begin, end = statement.start + counted.start(), statement.start + counted.end()
    return change_span(text, begin, end, _call(counted[0].rstrip("+ "), "+", "+", scene))


def find_update(
    array: str, statement: KernelStatement, scene: RepairScene
) -> ProposedAtomic | None:
    """Return how a statement updates an element of an array; None if it is something else."""
    at = _ELEMENT.format(re.escape(array))
    whole = scene.source.text[statement.start : statement.end]
    for pattern in _UPDATES if statement.kind == "simple" else ():
        found = re.fullmatch(pattern.format(at=at), whole, re.DOTALL)
        if found is not None:
            value = "1" if found["value"] == "+" else found["value"]
            place = statement.start, statement.end
            return ProposedAtomic(*place, found["at"].strip(), found["sign"], value.strip())
    return None


def _call(at: str, sign: str, value: str, scene: RepairScene) -> str:
    """Write the call that updates an element; the value "+" is that of `++`."""
    value = "1" if value == "+" else value
    if scene.is_cuda:
        pointer = at.strip("()").strip()
        pointer = pointer[1:].strip() if pointer.startswith("*") else f"&{at}"
        return f"atomic{_CUDA[sign]}({pointer}, {value})"
    array, _, index = at.partition("[")
    index = index.rpartition("]")[0].strip()
    index = f"({index})" if "," in index else index
    return f"cuda.atomic.{_NUMBA[sign]}({array.strip()}, {index}, {value})"
