"""Where the result of an unsigned operation that may wrap gets into an index.

What passes a mask, a modulo, a shift, a comparison, or a function wraps on purpose and is followed
no further, nor is what is added to a number that stands for a negative one.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import UINT32, number
from grader.simt.program.walking import Names, own_operations, walk_block, walk_statements

_HALF = 1 << 31
_FOLLOWED = ("+", "-", "*", "neg")


class Wraps(NamedTuple):
    """What must be known to compare an index with what it would be without wrapping.

    Attributes:
        variables: those whose value without wrapping is kept beside their own.
        indices: by the id of an index, the place of the operation that may wrap.
    """

    variables: Names = frozenset()
    indices: Mapping[int, Site] = {}


def find_wraps(body: nodes.Block, checked: Container[int]) -> Wraps:
    """Return the indices of a function's body that a result which wraps may get into.

    Args:
        checked: the places (by id) of operations that may wrap.
    """
    operations = (each for each in walk_block(body) if isinstance(each, nodes.Operate))
    if not any(each.wraps is not None and id(each.wraps) in checked for each in operations):
        return Wraps()
    flow = _Flow(body, checked)
    places = {id(index): place for index in _indices(body) if (place := flow.place_of(index))}
    return Wraps(flow.exact, places) if places else Wraps()


def is_followed(node: Expression) -> bool:
    """Return True for an operator or a conversion of integers whose exact value is followed."""
    match node:
        case nodes.Operate(kind, operator):
            dtype = number(kind)
            return operator in _FOLLOWED and dtype is not None and dtype.kind in "iu"
        case nodes.Convert(kind, operand):
            dtype, given = number(kind), number(operand.type)
            return (
                dtype is not None
                and given is not None
                and dtype.kind in "iu"
                and given.kind in "iu"
                and dtype.itemsize >= max(given.itemsize, 4)
            )
    return isinstance(node, (nodes.Observe, nodes.Choose))


def _may_wrap(node: Expression, checked: Container[int]) -> bool:
    return isinstance(node, nodes.Operate) and node.wraps is not None and id(node.wraps) in checked


def _indices(body: nodes.Block) -> Iterator[Expression]:
    """Yield what is added to pointers, and the indices of arrays."""
    for node in walk_block(body):
        if isinstance(node, nodes.Move):
            yield node.index
        elif isinstance(node, nodes.Load) and isinstance(node.place, nodes.Element):
            yield from node.place.indices
    for statement in walk_statements(body):
        for each in own_operations(statement):
            if isinstance(each, (nodes.Store, nodes.Update)) and isinstance(
                each.place, nodes.Element
            ):
                yield from each.place.indices


class _Flow:
    """Which variables get a result that may wrap, and from which place.

    Attributes:
        exact: variables whose exact value may differ from their own.
    """

    def __init__(self, body: nodes.Block, checked: Container[int]) -> None:
        self._checked = checked
        self._places: dict[str, Site] = {}
        self._negative = set[str]()
        self.exact: Names = frozenset()
        given = [
            each
            for statement in walk_statements(body)
            for each in own_operations(statement)
            if isinstance(each, nodes.Set)
        ]
        known = None
        while known != (known := (len(self._places), len(self._negative), len(self.exact))):
            for each in given:
                if self._is_negative(each.value):
                    self._negative.add(each.variable)
                if each.variable not in self._places and (place := self.place_of(each.value)):
                    self._places[each.variable] = place
                if self._is_exact(each.value):
                    self.exact |= {each.variable}

    def place_of(self, node: Expression) -> Site | None:
        """Return the place of an operation that may wrap, whose result this value follows."""
        if isinstance(node, nodes.Read):
            return self._places.get(node.variable)
        if not is_followed(node):
            return None
        parts = _parts(node)
        if isinstance(node, nodes.Operate) and any(map(self._is_negative, parts)):
            return None
        if isinstance(node, nodes.Operate) and _may_wrap(node, self._checked):
            return node.wraps
        return next(filter(None, map(self.place_of, parts)), None)

    def _is_negative(self, node: Expression) -> bool:
        """Return True for a number that stands for a negative one, as 0xffffffff does for -1."""
        match node:
            case nodes.Number(kind, value):
                return number(kind) == UINT32 and value >= _HALF
            case nodes.Operate(kind, "~"):
                return number(kind) == UINT32
            case nodes.Read(_, variable):
                return variable in self._negative
        return is_followed(node) and any(map(self._is_negative, _parts(node)))

    def _is_exact(self, node: Expression) -> bool:
        """Return True if a value may differ from what it would be without wrapping."""
        if isinstance(node, nodes.Read):
            return node.variable in self.exact
        if not is_followed(node):
            return False
        match node:
            case nodes.Operate(kind, operator):
                own = _may_wrap(node, self._checked) or (operator == "neg" and kind == UINT32)
            case nodes.Convert(kind, operand):
                signs = number(operand.type), number(kind)
                own = [each.kind for each in signs if each] == ["i", "u"]
            case _:
                own = False
        return own or any(map(self._is_exact, _parts(node)))


def _parts(node: Expression) -> tuple[Expression, ...]:
    match node:
        case nodes.Operate(operands=parts):
            return parts
        case nodes.Choose(_, _, yes, no):
            return yes, no
        case nodes.Convert(_, operand) | nodes.Observe(_, operand):
            return (operand,)
    raise AssertionError(node)
