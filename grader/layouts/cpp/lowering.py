"""Lowers an index in CUDA C++ by the emulator's front end, for elements instead of threads.

The names of an exercise are values that follow from the element, as `threadIdx` does from the
thread. What C++ leaves undefined is a fault at its element; what looks at other threads is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.errors import BoolArray, NotUnderstood, fault_where
from grader.layouts.lowered import is_own, perform
from grader.layouts.names import unavailable
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import as_int64, load, number
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.kernel import HOOKS
from grader.simt.cuda.lowering.module import DIVISIONS, Module
from grader.simt.cuda.lowering.program import CudaProgram
from grader.simt.cuda.lowering.types import (
    DIM3,
    INT,
    LONG_LONG,
    UINT3,
    UNSIGNED,
    Arithmetic,
    Void,
)
from grader.simt.cuda.lowering.unit import Scopes, Unit
from grader.simt.cuda.lowering.values import Aggregate, Plain, Value
from grader.simt.cuda.parsing import AROUND
from grader.simt.cuda.places import Place
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import INT64, UINT64, Nothing, Tuple
from grader.simt.program.walking import walk_block

_LARGEST = (1 << 63) - 1
_TRIPLES = {"threadIdx": UINT3, "blockDim": DIM3}
_CHECKS = frozenset(("assigned", "divisor", "on axis"))
"""What a thread does by itself and an element may do, too."""


class Entry(NamedTuple):
    """What is computed: one expression, whose value may be two numbers, or two.

    Attributes:
        place: where the person wrote it.
        end: where what they wrote ends.
    """

    values: tuple[syntax.Expression, ...]
    place: Place
    end: Place


@dataclass(eq=False)
class CppProgram:
    """An index in CUDA C++.

    Attributes:
        tree: the source.
        entry: what is computed of it.
        names: numbers of the elements by name, in their types.
        constants: numbers by name.
        function: it takes nothing, and returns one number, or two, as int64.
        shared: what it shares with the functions that it calls.
        checked: operations (by id) that may be undefined.
        vectors: for each of `names`, its vector while the program runs.
    """

    tree: syntax.TranslationUnit
    entry: Entry
    names: Mapping[str, Array]
    constants: Mapping[str, int]
    function: nodes.Function = field(default_factory=lambda: nodes.Function("index", (), Nothing()))
    shared: CudaProgram = field(default_factory=CudaProgram)
    checked: frozenset[int] = frozenset()
    vectors: dict[str, Array] = field(default_factory=dict)

    def round_down(self) -> CppProgram:
        """Return the same with the `/` and `%` of Python."""
        again = CppProgram(self.tree, self.entry, self.names, self.constants)
        lower_program(again, {"/": "//", "%": "%"})
        return again


def lower_program(program: CppProgram, divisions: Mapping[str, str] = DIVISIONS) -> None:
    """Lower what a source computes for each element.

    Raises:
        Refused: it is not C++, or not emulated.
        NotUnderstood: it is no index.
    """
    entry, function = program.entry, program.function
    module = Module(program.tree, program.shared, HOOKS, {}, divisions)
    for name, value in _values(program).items():
        module.names.setdefault(name, value)
    unit = Unit(module, function, Scopes({}), frozenset(), None)
    with unit.apart() as before:
        parts = [part for value in entry.values for part in _numbers(unit, entry, value)]
    if len(parts) > 2:
        raise NotUnderstood(fact("layout.numbers-returned", count=len(parts)), *entry.place[:2])
    function.result = Tuple((INT64,) * len(parts))
    packed = nodes.Pack(function.result, tuple(parts))
    function.body = (nodes.Return(unit.site(entry.place), packed, tuple(before)),)
    program.checked = _find_checked(function)
    for instance in module.instances.values():
        program.checked |= _find_checked(instance.lowered)
        if not isinstance(instance.result, Void) and instance.source.result is not None:
            instance.lowered.body += (_end(unit, instance.source, entry.end),)


def _values(program: CppProgram) -> dict[str, Any]:
    """Return what the names of an exercise stand for."""
    found: dict[str, Any] = {}
    for name, numbers in program.names.items():
        triple, _, axis = name.partition(".")
        if not axis:
            found[name] = _element(program, name, numbers)
        elif triple not in found:
            each = (f"{triple}.{axis}" for axis in "xyz")
            members = tuple(_element(program, axis, program.names.get(axis)) for axis in each)
            found[triple] = Aggregate(_TRIPLES[triple], members, const=True)
    for name, value in program.constants.items():
        found[name] = number(INT if -(2**31) < value < 2**31 else LONG_LONG, value)
    return found


def _element(program: CppProgram, name: str, numbers: Array | None) -> Plain:
    if numbers is None:
        return number(UNSIGNED, 0)
    kind = UNSIGNED if numbers.dtype == np.uint32 else INT

    def get(_chunk: Any) -> Array:
        return program.vectors[name]

    return Plain(kind, nodes.Position(kind.dtype, name, get))


def _numbers(unit: Unit, entry: Entry, node: syntax.Expression) -> list[Expression]:
    """Lower an expression to one number, or to the two of an `int2`."""
    value = load(unit, node, lower(unit, node))
    parts = value.members if isinstance(value, Aggregate) else (value,)
    return [_index(unit, entry.place, part) for part in parts]


def _index(unit: Unit, place: Place, value: Value) -> Expression:
    """Return an index as int64.

    Raises:
        NotUnderstood: it is not an integer.
    """
    if isinstance(value.type, Void):
        raise NotUnderstood(fact("layout.returns-nothing"), *place[:2])
    if not isinstance(value, Plain) or not isinstance(value.type, Arithmetic):
        raise NotUnderstood(fact("layout.not-an-integer"), *place[:2])
    if not value.type.is_integer:
        raise NotUnderstood(fact("layout.float-for-integer"), *place[:2])
    if value.node.type == UINT64:
        site = unit.site(place)
        return perform(INT64, "reach", _check_reach, (value.node,), site)
    return as_int64(value.node)


# What C++ leaves undefined


def _check_reach(value: Array, active: BoolArray) -> Array:
    """Return an index of type `unsigned long long` as int64."""
    fault_where(value > np.uint64(_LARGEST), active, fact("layout.beyond-any-memory"))
    return value.astype(np.int64)


def _end(unit: Unit, source: syntax.Function, last: Place) -> nodes.Statement:
    """Return what finds elements that reach the end of a function without a value."""
    assert source.body is not None  # it was lowered
    site = unit.site(last if source.body.end.path == AROUND else source.body.end)
    check = perform(Nothing(), "end", _no_value, (), site)
    return nodes.Step(site, (nodes.Do(check),))


def _no_value(active: BoolArray) -> None:
    fault_where(np.ones(1, np.bool_), active, fact("layout.nothing-returned"))


def _find_checked(function: nodes.Function) -> frozenset[int]:
    """Return the operations that may be undefined; refuse what looks at other threads.

    Raises:
        NotUnderstood: the function does.
    """
    found = set[int]()
    for node in walk_block(function.body):
        match node:
            case nodes.Perform(name=name, site=site) if not is_own(node) and name not in _CHECKS:
                raise NotUnderstood(unavailable(name), site.line, site.column)
            case nodes.Operate(site=place) if place is not None:
                found.add(id(node))
    return frozenset(found)
