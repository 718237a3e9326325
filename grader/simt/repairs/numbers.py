"""Rules for types of numbers: float32 data that is computed in float64, integers that wrap."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.changes import change_span
from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.python_text import PythonText
from grader.simt.repairs.statements import LoopStep

_DOUBLE = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?(?![\w.])")
_FLOAT32 = (
    (r"^\s*import\s+numba\b(?!\s+as\b)", "numba.float32"),
    (r"^\s*from\s+numba\s+import\s+[^#\n]*\bfloat32\b(?!\s+as\b)", "float32"),
    (r"^\s*import\s+numpy\s+as\s+np\b", "np.float32"),
)
"""What a module imports, and how it then names the type."""
_VARIABLE = re.compile(
    r"(?:(?:const\s+)?(?P<type>unsigned int|unsigned|uint32_t|int)\s+)?\w+\s*[-+*]?=(?!=)"
)
"""A variable that is given a value, with its type where it is declared."""


def propose_float32(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose to write constants and operands as float32."""
    path = [] if finding.file else scene.path(finding.line, finding.column)
    if not path:
        return
    cause = finding.what.fields.get("cause", finding.what)
    assert isinstance(cause, Fact)
    if scene.is_cuda:
        yield from _suffix(float(str(cause.fields["value"])), path[-1], finding, scene)
        return
    text = scene.source.text
    name = next((own for found, own in _FLOAT32 if re.search(found, text, re.MULTILINE)), "")
    if not name:
        return
    start = scene.source.offset(finding.line, finding.column)
    if cause.code == "finding.float64.variable":
        variable = re.escape(str(cause.fields["name"]))
        found = re.compile(rf"{variable}\s*=\s*(?P<value>[-+\w.]+)").match(text, start)
        spans = [found.span("value")] if found else []
    else:
        assert isinstance(scene.source, PythonText)
        spans = scene.source.find_operands(start)
    for span in spans:
        old = text[slice(*span)]
        yield _replace(span, old, f"{name}({old})", scene)


def _suffix(
    value: float, step: LoopStep, finding: Finding, scene: RepairScene
) -> Iterator[RepairCandidate]:
    """Make constants of a statement float, the nearest first."""
    statement, text = step.statement, scene.source.text
    place = scene.source.offset(finding.line, finding.column)
    every = [*_DOUBLE.finditer(text, statement.start, statement.end)]
    found = [match for match in every if float(match[0]) == abs(value)]
    for match in sorted(found, key=lambda each: abs(each.start() - place)):
        yield _replace(match.span(), match[0], f"{match[0]}f", scene)
    if len(every) > 1:  # each of them may have a finding
        parts = [_replace(match.span(), match[0], f"{match[0]}f", scene) for match in every]
        old, new = (
            ", ".join(str(each.what.fields[key]) for each in parts) for key in ("old", "new")
        )
        what = fact("repair.replace", old=old, new=new, line=scene.line_of(every[0].start()))
        yield RepairCandidate(what, tuple(change for each in parts for change in each.changes))


def _replace(span: tuple[int, int], old: str, new: str, scene: RepairScene) -> RepairCandidate:
    line = scene.line_of(span[0])
    change = change_span(scene.source.text, *span, new)
    return RepairCandidate(fact("repair.replace", old=old, new=new, line=line), (change,))


def propose_wider(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose 64 bits for an operation whose result its type cannot hold."""
    path = [] if finding.file or not scene.is_cuda else scene.path(finding.line, finding.column)
    if not path:
        return
    text, statement = scene.source.text, path[-1].statement
    wider = "size_t" if finding.kind == "warning" else "long long"
    start = _find_left(text, scene.source.offset(finding.line, finding.column))
    cast = change_span(text, start, start, f"({wider})")
    what = fact("repair.wider", type=wider, line=finding.line)
    found = _VARIABLE.match(text, statement.start, statement.end)
    if found is None:
        yield RepairCandidate(what, (cast,))
    elif found["type"]:  # one that is declared elsewhere would make it narrow again
        yield RepairCandidate(what, (change_span(text, *found.span("type"), wider), cast))


def _find_left(text: str, operator: int) -> int:
    """Return where the left operand of an operator begins; of a sum, its last product."""
    start = _find_primary(text, operator)
    while text[operator] in "+-" and text[:start].rstrip()[-1:] in ("*", "/", "%"):
        start = _find_primary(text, len(text[:start].rstrip()) - 1)
    return start


def _find_primary(text: str, end: int) -> int:
    """Return where the name, number, call, or access begins that ends at a place."""
    at, depth = len(text[:end].rstrip()), 0
    while at > 0:
        before = text[at - 1]
        depth += (before in ")]") - (before in "([")
        named = before.isalnum() or before in "_.])" or text[at - 2 : at] == "->"
        if depth < 0 or (not depth and not named and before not in "(["):
            break
        at -= 2 if text[at - 2 : at] == "->" and not depth else 1
    return at
