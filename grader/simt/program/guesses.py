"""Which loads only guess what a compare-and-swap then checks.

`old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);` is how CUDA's
own documentation makes an atomic operation of any other: whatever the load gives while others
change the place, the loop goes on until it was right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import Array
from grader.simt.program.walking import own_operations, walk_block, walk_statements

_SWAP = "atomic cas"
Assigned = Mapping[str, Sequence[Expression]]


def mark_guesses(body: nodes.Block) -> None:
    """Note at each load of a function whether a compare-and-swap in a loop checks it."""
    swaps = {
        node
        for loop in walk_statements(body)
        if isinstance(loop, nodes.Loop)
        for node in walk_block((loop,))
        if isinstance(node, nodes.Perform) and node.name == _SWAP
    }
    if not swaps:
        return
    assigned = _find_assigned(body)
    places = _Places(assigned)
    for swap in swaps:
        array, *indices, compared, _ = swap.operands
        is_array = isinstance(array.type, Array)
        place = places.of_element(array, indices) if is_array else places.of(array)
        for load in _find_loads(compared, assigned):
            match load.place:
                case nodes.Element(_, own, own_indices, site):
                    site.guess |= places.of_element(own, own_indices) == place
                case nodes.Target(_, pointer, site):
                    site.guess |= places.of(pointer) == place


def _find_assigned(body: nodes.Block) -> Assigned:
    """Return what each variable is given anywhere."""
    found = defaultdict[str, list[Expression]](list)
    for statement in walk_statements(body):
        for operation in own_operations(statement):
            if isinstance(operation, nodes.Set):
                found[operation.variable].append(operation.value)
    for node in walk_block(body):
        if isinstance(node, nodes.Keep):
            found[node.variable].append(node.operand)
    return found


def _find_loads(node: Expression, assigned: Assigned) -> Iterator[nodes.Load]:
    """Yield the loads whose value, or its bits as another type, an expression may be."""
    waiting, seen = [node], set[str]()
    while waiting:
        match waiting.pop():
            case nodes.Load() as load:
                yield load
            case nodes.Read(_, variable) if variable not in seen:
                seen.add(variable)
                waiting += assigned.get(variable, ())
            case nodes.Convert(_, operand) | nodes.Observe(_, operand):
                waiting.append(operand)
            case nodes.Keep(_, _, operand) | nodes.Apply(_, _, _, (operand,)):
                waiting.append(operand)


class _Places:
    """Numbers places: two that are written alike have one number."""

    def __init__(self, assigned: Assigned) -> None:
        self._assigned = assigned
        self._numbers: dict[Any, int] = {}
        self._variables: dict[str, int] = {}

    def of_element(self, array: Expression, indices: Sequence[Expression]) -> int:
        """Return the number of an element; without an index of the first one."""
        each = [self.of(index) for index in indices] or [self._number(("number", 0))]
        return self._number(("element", self.of(array), *each))

    def of(self, node: Expression) -> int:
        """Return the number of an expression; conversions make no difference."""
        match node:
            case nodes.Convert(_, operand) | nodes.Observe(_, operand) | nodes.Keep(_, _, operand):
                return self.of(operand)
            case nodes.Read(_, variable):
                return self._variable(variable)
            case nodes.Number(_, value):
                return self._number(("number", value))
            case nodes.Position(_, name):
                return self._number(("position", name))
            case nodes.Operate(_, operator, operands):
                return self._number((operator, *map(self.of, operands)))
            case nodes.Move(_, pointer, index, step):
                moved = self.of(index)
                start = self.of(pointer)
                unmoved = moved == self._number(("number", 0))
                return start if unmoved else self._number(("move", start, moved, step))
            case nodes.AddressOf(_, memory):
                return self.of(memory)
            case nodes.Memory(_, declared):
                return self._number(("memory", id(declared)))
        return self._number(("node", id(node)))

    def _variable(self, name: str) -> int:
        """Return the number of a variable: that of its value, if it is given only one."""
        if name not in self._variables:
            self._variables[name] = self._number(("variable", name))
            given = self._assigned.get(name, ())
            if len(given) == 1:
                self._variables[name] = self.of(given[0])
        return self._variables[name]

    def _number(self, key: Any) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
