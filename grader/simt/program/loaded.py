"""Which accesses follow the data: their index is worked out from what memory holds.

Another run may have another pattern there. An index follows the data if it reads an element, or a
variable that holds one; what an atomic or a shuffle gives counts as an element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

_GIVING = ("atomic", "shfl")
"""How the names begin of what gives an element, or another thread's value."""


def mark_indices(body: nodes.Block) -> None:
    """Note at each access of a function whether its index follows the data."""
    operations = [each for part in walk_statements(body) for each in own_operations(part)]
    every = list(walk_block(body))
    loaded = _find_loaded(operations, every)
    for site, indices in _accesses(operations, every):
        site.from_data = any(_look(index).follows(loaded) for index in indices)


class _Look(NamedTuple):
    """What an expression is worked out from.

    Attributes:
        loads: True if something that it loads itself is among that.
    """

    loads: bool
    reads: Names

    def follows(self, loaded: Names) -> bool:
        """Return True if something loaded is among it, where some variables hold such."""
        return self.loads or not self.reads.isdisjoint(loaded)


def _look(node: Expression) -> _Look:
    loads, reads = False, set[str]()
    for part in walk_expression(node):
        if isinstance(part, nodes.Read):
            reads.add(part.variable)
        elif isinstance(part, nodes.Load):
            loads = True
        elif isinstance(part, nodes.Perform):
            loads |= part.name.startswith(_GIVING)
    return _Look(loads, frozenset(reads))


def _find_loaded(operations: Iterable[Operation], every: Iterable[Expression]) -> Names:
    """Return the variables that are given something loaded, or worked out from such a variable."""
    given = [
        (each.variable, _look(each.value)) for each in operations if isinstance(each, nodes.Set)
    ]
    given += [
        (each.variable, _look(each.operand)) for each in every if isinstance(each, nodes.Keep)
    ]
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
