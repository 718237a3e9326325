"""Which accesses follow the data: their index is worked out from what memory holds.

Another run may have another pattern there. An index follows the data if it reads an element, or a
variable that holds one; what an atomic or a shuffle gives counts as an element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.nodes import Block, Expression, Operation, Place
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


def mark_indices(body: Block) -> None:
    """Note at each access of a function whether its index follows the data."""
    loaded = _find_loaded(body)
    for site, indices in _accesses(body):
        site.from_data = any(_follows(index, loaded) for index in indices)


def _find_loaded(body: Block) -> Names:
    """Return the variables that are given something loaded, or worked out from such a variable."""
    given = [pair for each in walk_statements(body) for pair in _assigned(own_operations(each))]
    kept = (node for node in walk_block(body) if isinstance(node, nodes.Keep))
    given += [(node.variable, node.operand) for node in kept]
    found: Names = frozenset()
    while True:
        more = frozenset(name for name, value in given if _follows(value, found))
        if more <= found:
            return found
        found |= more


def _assigned(operations: Iterable[Operation]) -> Iterator[tuple[str, Expression]]:
    for operation in operations:
        if isinstance(operation, nodes.Set):
            yield operation.variable, operation.value


def _follows(node: Expression, loaded: Names) -> bool:
    return any(
        isinstance(part, nodes.Load)
        or (isinstance(part, nodes.Perform) and part.name.startswith(_GIVING))
        or (isinstance(part, nodes.Read) and part.variable in loaded)
        for part in walk_expression(node)
    )


def _accesses(body: Block) -> Iterator[tuple[Site, tuple[Expression, ...]]]:
    """Yield the place and the indices of every access."""
    for statement in walk_statements(body):
        for operation in own_operations(statement):
            if isinstance(operation, (nodes.Store, nodes.Update)):
                yield from _access(operation.place)
    for node in walk_block(body):
        if isinstance(node, nodes.Load):
            yield from _access(node.place)
        elif isinstance(node, nodes.Perform) and node.name.startswith("atomic"):
            array = node.operands[0].type
            last = 1 + array.ndim if isinstance(array, Array) else 1
            first = 0 if isinstance(array, Pointer) else 1
            yield node.site, node.operands[first:last]


def _access(place: Place) -> Iterator[tuple[Site, tuple[Expression, ...]]]:
    if isinstance(place, nodes.Element):
        yield place.site, place.indices
    elif isinstance(place, nodes.Target):
        yield place.site, (place.pointer,)
