"""Looks at a `Graph`: which variables keep values for threads elsewhere, what decides its loops.

While threads run a segment, others wait only in later ones; in a loop that lets those go on that it
waits for, and behind it, anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grader.simt.program import nodes
from grader.simt.program.walking import (
    Names,
    each_operation,
    find_functions,
    names_read,
    operation_parts,
    own_operations,
    walk_expression,
    walk_statements,
)

PATIENT = (
    "mbarrier-wait",
    "atomic",
    "threadfence",
    "syncwarp",
    "nanosleep",
    "activemask",
    "assigned",
)
"""How names begin of what a loop may perform: it changes nothing that differs in a later round."""

_NONE: Names = frozenset()


class Around(NamedTuple):
    """A loop of a graph.

    Attributes:
        last: the number of its last segment.
        deciding: the variables that decide whether threads leave it; None where its rounds change
            memory, or threads meet in them.
    """

    last: int
    deciding: Names | None


def find_loops(graph: nodes.Graph) -> dict[int, Around]:
    """Return the loops, by the segment that each begins at."""
    return {
        first: Around(last, _find_deciding(graph.segments[first : last + 1]))
        for first, last in graph.ends.items()
    }


def _find_deciding(segments: Sequence[nodes.Segment]) -> Names | None:
    operations = [
        each for segment in segments for run in segment.runs
        for each in each_operation(run.operations)
    ]  # fmt: skip
    if not all(map(_is_patient, operations)):
        return None
    given = dict[str, set[str]]()
    for each in operations:
        if isinstance(each, nodes.Set):
            given.setdefault(each.variable, set()).update(names_read([each.value]))
    tests = [each.test for each in segments if each.test is not None]
    guards = [each.test for each in operations if isinstance(each, nodes.When)]
    names, new = set[str](), set(names_read([*tests, *guards]))
    while new:
        names |= new
        new = set[str]().union(*(given.get(name, ()) for name in new)) - names
    return frozenset(names)


def _is_patient(operation: nodes.Operation) -> bool:
    """Return True if an operation changes nothing that differs in a later round."""
    if isinstance(operation, (nodes.Store, nodes.Update)):
        return False
    for part in operation_parts(operation):
        for node in walk_expression(part):
            if isinstance(node, nodes.Perform) and not (
                node.alone or node.name.startswith(PATIENT)
            ):
                return False
            if isinstance(node, nodes.Call):
                called = (
                    each
                    for function in find_functions(node.function)
                    for statement in walk_statements(function.body)
                    for each in own_operations(statement)
                )
                if not all(map(_is_patient, called)):
                    return False
    return True


def find_kept(graph: nodes.Graph) -> set[int]:
    """Return the `Set` operations (by id) whose variable is merged with what it held."""
    live = _find_live(graph)
    later = list[Names]()
    needed = _NONE
    for each in reversed(live):  # of all segments behind one
        later.append(needed)
        needed |= each
    later.reverse()
    anywhere = needed
    dominators = _find_dominators(graph.segments)
    kept = set[int]()
    waits = (last for first, last in graph.ends.items() if graph.segments[first].waits)
    waited = min(waits, default=len(live))
    for number, segment in enumerate(graph.segments):
        if segment.waits or number > waited:
            away = anywhere
        elif segment.loop is None:  # whoever waits where it always leads to has been through it
            behind = range(number + 1, len(live))
            away = _NONE.union(*(live[at] for at in behind if number not in dominators[at]))
        else:
            away = later[number]
        kept.update(_kept_in(segment, away))
    return kept


def _kept_in(segment: nodes.Segment, away: Names) -> Iterator[int]:
    for run in segment.runs:
        for operation in run.operations:
            if isinstance(operation, nodes.Set):
                if operation.variable in away:
                    yield id(operation)
            elif isinstance(operation, nodes.When):  # threads that stay here need the old one
                parts = (*operation.yes, *operation.no)
                yield from (id(part) for part in parts if isinstance(part, nodes.Set))


def _find_live(graph: nodes.Graph) -> list[Names]:
    """Return the variables that threads need that wait in each segment."""
    segments = graph.segments
    left = names_read([graph.result] if graph.result is not None else [])
    own = [_flow(segment) for segment in segments]
    live = [_NONE] * len(segments)
    changed = True
    while changed:
        changed = False
        for number in range(len(segments) - 1, -1, -1):
            read, written = own[number]
            after = _NONE.union(
                *(left if to is None else live[to] for to in _targets(segments[number]))
            )
            found = read | (after - written)
            if found != live[number]:
                live[number], changed = found, True
    return live


def _targets(segment: nodes.Segment) -> tuple[int | None, ...]:
    return (segment.yes,) if segment.test is None else (segment.yes, segment.no)


def _flow(segment: nodes.Segment) -> tuple[Names, Names]:
    """Return the variables that a segment reads before it sets them, and those that it sets."""
    read, written = set[str](), set[str]()

    def follow(operations: Iterable[nodes.Operation], *, surely: bool) -> None:
        for operation in operations:
            read.update(names_read(operation_parts(operation)) - written)
            if isinstance(operation, nodes.Set):
                if surely:
                    written.add(operation.variable)
                elif operation.variable not in written:
                    read.add(operation.variable)  # some threads keep what it held
            elif isinstance(operation, nodes.When):
                follow((*operation.yes, *operation.no), surely=False)

    for run in segment.runs:
        follow(run.operations, surely=True)
    if segment.test is not None:
        read.update(names_read([segment.test]) - written)
    return frozenset(read), frozenset(written)


def _find_dominators(segments: Sequence[nodes.Segment]) -> list[frozenset[int]]:
    """Return, for each segment, those that every path to it leads through."""
    before: list[list[int]] = [[] for _ in segments]
    for number, segment in enumerate(segments):
        for to in _targets(segment):
            if to is not None:
                before[to].append(number)
    every = frozenset(range(len(segments)))
    found = [frozenset({0}), *([every] * (len(segments) - 1))]
    changed = True
    while changed:
        changed = False
        for number in range(1, len(segments)):
            through = [found[each] for each in before[number]]
            own = (frozenset.intersection(*through) if through else every) | {number}
            if own != found[number]:
                found[number], changed = own, True
    return found
