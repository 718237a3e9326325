"""Lowers an index in CUDA C++ by the emulator's front end, for elements instead of threads.

The names of an exercise are values that follow from the element, as `threadIdx` does from the
thread. What C++ leaves undefined is a fault at its element; what looks at other threads is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.errors import BoolArray, NotUnderstood, fault_where
from grader.layouts.lowered import as_vector, is_own, perform
from grader.layouts.names import unavailable
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import as_int64, load, number
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.functions import Passed, lower_function
from grader.simt.cuda.lowering.kernel import HOOKS
from grader.simt.cuda.lowering.library.tables import HANDLERS
from grader.simt.cuda.lowering.module import DIVISIONS, Late, Module
from grader.simt.cuda.lowering.program import CudaProgram
from grader.simt.cuda.lowering.types import (
    DIM3,
    INT,
    KEYWORDS,
    LONG_LONG,
    UINT3,
    UNSIGNED,
    Arithmetic,
    CType,
    Struct,
    Void,
)
from grader.simt.cuda.lowering.unit import Functions, Scopes, Unit
from grader.simt.cuda.lowering.values import Aggregate, Plain, Value
from grader.simt.cuda.parsing import AROUND
from grader.simt.cuda.places import Place
from grader.simt.machine.chunk import Chunk
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
        function: it returns one integer, or two.
        arguments: by its parameters, which of `names` it takes.
        shared: what it shares with the functions that it calls.
        checked: operations (by id) that may be undefined.
        given: the numbers of `names` for which the program runs.
    """

    tree: syntax.TranslationUnit
    entry: Entry
    names: Mapping[str, Array]
    constants: Mapping[str, int]
    function: nodes.Function = field(default_factory=lambda: nodes.Function("index", (), Nothing()))
    arguments: Mapping[str, str] = field(default_factory=dict)
    shared: CudaProgram = field(default_factory=CudaProgram)
    checked: frozenset[int] = frozenset()
    given: Mapping[str, Array] = field(default_factory=dict)

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
    module = Module(program.tree, program.shared, HOOKS, {}, divisions)
    for name, make in _values(program).items():
        module.names.setdefault(name, Late(make))
    unit = Unit(module, program.function, Scopes({}), frozenset(), None)
    if not _lower_called(unit, program):
        _lower_values(unit, program)
    for instance in module.instances.values():
        program.checked |= _find_checked(instance.lowered)
        if not isinstance(instance.result, Void) and instance.source.result is not None:
            instance.lowered.body += _end(unit, instance.source, instance.lowered, program.entry)


def _lower_values(unit: Unit, program: CppProgram) -> None:
    """Lower what is computed as a function around it, which returns it as int64."""
    entry, function = program.entry, program.function
    with unit.apart() as before:
        parts = [part for value in entry.values for part in _numbers(unit, entry, value)]
    if len(parts) > 2:
        raise NotUnderstood(fact("layout.numbers-returned", count=len(parts)), *entry.place[:2])
    function.result = Tuple((INT64,) * len(parts))
    packed = nodes.Pack(function.result, tuple(parts))
    function.body = (nodes.Return(unit.site(entry.place), packed, tuple(before)),)
    program.checked = _find_checked(function)


def _lower_called(unit: Unit, program: CppProgram) -> bool:
    """Lower what is computed if it is one function that can run without another around it.

    Returns:
        False if what it takes or returns has to be converted, if it calls itself, or if it is not
        the only function that may be meant.
    """
    match program.entry.values:
        case (syntax.Call(_, syntax.Name() as name, arguments),) if name.spelled not in HANDLERS:
            found = unit.module.find(unit, name)
        case _:
            return False
    if not isinstance(found, Functions) or len(found.overloads) > 1:
        return False
    (source,) = found.overloads
    given = [lower(unit, each) for each in arguments]
    if source.template is not None or not _takes(source, given):
        return False
    passed = tuple(Passed(value.type) for value in given)
    instance = lower_function(unit.module, source, {}, passed)
    if unit.module.recursive or not _is_index(instance.result):
        return False
    program.function = instance.lowered
    numbers = (each.node.name for each in given)  # type: ignore[union-attr]
    program.arguments = dict(zip(instance.lowered.parameters, numbers, strict=True))
    return True


def _takes(source: syntax.Function, given: Sequence[Value]) -> bool:
    """Return True if a function takes numbers of the elements in their types."""
    if "__global__" in source.specifiers or len(source.parameters) != len(given):
        return False
    types = (KEYWORDS.get(syntax.type_name(each.type) or "") for each in source.parameters)
    return all(
        isinstance(value, Plain) and isinstance(value.node, nodes.Position) and value.type is kind
        for value, kind in zip(given, types, strict=True)
    )


def _is_index(kind: CType) -> bool:
    """Return True for an integer that int64 holds, and for one or two of them."""
    parts = [each.type for each in kind.members] if isinstance(kind, Struct) else [kind]
    return 1 <= len(parts) <= 2 and all(
        isinstance(part, Arithmetic) and part.is_integer and part.dtype != UINT64 for part in parts
    )


def _values(program: CppProgram) -> dict[str, Callable[[], Value]]:
    """Return what makes what the names of an exercise stand for; a text uses few of them."""
    found: dict[str, Callable[[], Value]] = {}
    for name in program.names:
        triple, _, axis = name.partition(".")
        found[triple] = partial(_triple if axis else _element, program, triple)
    for name, value in program.constants.items():
        found[name] = partial(number, INT if -(2**31) < value < 2**31 else LONG_LONG, value)
    return found


def _triple(program: CppProgram, name: str) -> Value:
    members = tuple(_element(program, f"{name}.{axis}") for axis in "xyz")
    return Aggregate(_TRIPLES[name], members, const=True)


def _element(program: CppProgram, name: str) -> Plain:
    numbers = program.names.get(name)
    if numbers is None:
        return number(UNSIGNED, 0)
    kind = UNSIGNED if numbers.dtype == np.uint32 else INT

    def get(chunk: Chunk) -> Array:
        return as_vector(program.given[name], chunk)

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


def _end(unit: Unit, source: syntax.Function, lowered: nodes.Function, entry: Entry) -> nodes.Block:
    """Return what finds elements that reach the end of a function without a value."""
    if any(isinstance(each, nodes.Return) for each in lowered.body[-1:]):
        return ()
    assert source.body is not None  # it was lowered
    site = unit.site(entry.end if source.body.end.path == AROUND else source.body.end)
    check = perform(Nothing(), "end", _no_value, (), site)
    return (nodes.Step(site, (nodes.Do(check),)),)


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
