"""Which accesses follow the data: their index, or what they store, is worked out from memory.

Another run may have another pattern, or other values there. A value follows the data if it reads an
element, or a variable that holds one; what an atomic or a shuffle gives counts as an element. Of
what is stored, an element that all threads read is none: it is the same for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.types import Array, Pointer
from grader.simt.program.walking import (
    Names,
    own_operations,
    walk_block,
    walk_expression,
    walk_statements,
)

_OF_BLOCK = re.compile(r"block(Idx|Dim)|gridDim|n?ctaid|ntid|gridsize")
"""In the name of a position that is the same for all threads of a block."""
_GIVING = ("atomic", "shfl")
"""How the names begin of what gives an element, or another thread's value."""


def mark_indices(body: nodes.Block) -> None:
    """Note at each access of a function whether its index follows the data."""
    operations = [each for part in walk_statements(body) for each in own_operations(part)]
    every = list(walk_block(body))
    loaded = _find_given(_look, operations, every)
    for site, indices in _accesses(operations, every):
        site.from_data = any(_look(index).follows(loaded) for index in indices)
    _mark_stores(operations, every)


def _mark_stores(operations: Sequence[Operation], every: Sequence[Expression]) -> None:
    """Note at each store whether the data could make threads store different values there."""
    varying = _find_given(_look_varying, operations, every)
    look = partial(_look_differing, varying=varying)
    differing = _find_given(look, operations, every)
    for operation in operations:
        if isinstance(operation, nodes.Update):
            found = True
        elif isinstance(operation, nodes.Store):
            found = look(operation.value).follows(differing)
        else:
            continue
        for site, _ in _access(operation.place):
            site.stores_data |= found


class _Look(NamedTuple):
    """What an expression is worked out from.

    Attributes:
        loads: True if something that it loads itself is among that.
        reads: the variables.
    """

    loads: bool
    reads: Names

    def follows(self, loaded: Names) -> bool:
        """Return True if something loaded is among it, where some variables hold such."""
        return self.loads or not self.reads.isdisjoint(loaded)


def _look(node: Expression) -> _Look:
    """Look for what is loaded."""
    return _look_for(node, lambda part: isinstance(part, nodes.Load) or _gives(part))


def _look_varying(node: Expression) -> _Look:
    """Look for what may differ from thread to thread."""

    def varies(part: Expression) -> bool:
        if isinstance(part, nodes.Position):
            return _OF_BLOCK.search(part.name) is None
        return isinstance(part, (nodes.Load, nodes.Perform, nodes.Call))

    return _look_for(node, varies)


def _look_differing(node: Expression, varying: Names) -> _Look:
    """Look for what is loaded and need not be the same for all threads."""

    def differs(part: Expression) -> bool:
        if isinstance(part, nodes.Load):
            indices = [index for _, found in _access(part.place) for index in found]
            return not indices or any(_look_varying(each).follows(varying) for each in indices)
        if isinstance(part, nodes.Call):
            return any(isinstance(each.type, (Array, Pointer)) for each in part.arguments)
        return _gives(part)

    return _look_for(node, differs)


def _gives(part: Expression) -> bool:
    return isinstance(part, nodes.Perform) and part.name.startswith(_GIVING)


def _look_for(node: Expression, wanted: Callable[[Expression], bool]) -> _Look:
    loads, reads = False, set[str]()
    for part in walk_expression(node):
        if isinstance(part, nodes.Read):
            reads.add(part.variable)
        loads = loads or wanted(part)
    return _Look(loads, frozenset(reads))


def _find_given(
    look: Callable[[Expression], _Look],
    operations: Iterable[Operation],
    every: Iterable[Expression],
) -> Names:
    """Return the variables that are given what is looked for, or what follows from such a one."""
    given = [
        (each.variable, look(each.value)) for each in operations if isinstance(each, nodes.Set)
    ]
    given += [(each.variable, look(each.operand)) for each in every if isinstance(each, nodes.Keep)]
    found: Names = frozenset()
    while True:
        more = frozenset(name for name, value in given if value.follows(found))
        if more <= found:
            return found
        found |= more


def _accesses(
    operations: Iterable[Operation], every: Iterable[Expression]
) -> Iterator[tuple[Site, tuple[Expression, ...]]]:
    """Yield the place and the indices of every access."""
    for operation in operations:
        if isinstance(operation, (nodes.Store, nodes.Update)):
            yield from _access(operation.place)
    for node in every:
        if isinstance(node, nodes.Load):
            yield from _access(node.place)
        elif isinstance(node, nodes.Perform) and node.name.startswith("atomic"):
            array = node.operands[0].type
            last = 1 + array.ndim if isinstance(array, Array) else 1
            first = 0 if isinstance(array, Pointer) else 1
            yield node.site, node.operands[first:last]


def _access(place: nodes.Place) -> Iterator[tuple[Site, tuple[Expression, ...]]]:
    if isinstance(place, nodes.Element):
        yield place.site, place.indices
    elif isinstance(place, nodes.Target):
        yield place.site, (place.pointer,)
