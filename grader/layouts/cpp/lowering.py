"""Lowers and runs an index in CUDA C++ by the emulator's front end, elements instead of threads.

The names of an exercise are values that follow from the element, as `threadIdx` does from the
thread. What C++ leaves undefined is a fault at its element; what looks at other threads is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.errors import BoolArray, NotUnderstood, NoValue, TooMuchWork, fault_where
from grader.layouts.lowered import as_numbers, as_vector, is_own, make_elements, perform
from grader.layouts.names import unavailable
from grader.simt.checks.findings import Findings
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.closures import Passed
from grader.simt.cuda.lowering.conversions import as_int64, load, number
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.functions import Instance, lower_function
from grader.simt.cuda.lowering.kernel import HOOKS
from grader.simt.cuda.lowering.library.tables import HANDLERS
from grader.simt.cuda.lowering.model.types import (
    DIM3,
    INT,
    KEYWORDS,
    LONG_LONG,
    UINT3,
    UNSIGNED,
    Arithmetic,
    CType,
    StructType,
    VoidType,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.cuda.lowering.module import DIVISIONS, Late, Module
from grader.simt.cuda.lowering.program import CudaProgram
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, Scopes
from grader.simt.cuda.parser.parsing import AROUND
from grader.simt.cuda.places import Place
from grader.simt.lockstep.independent import run_function
from grader.simt.machine.chunk import Chunk, OutOfBudget
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import INT64, UINT64, Nothing, Tuple
from grader.simt.program.walking import walk_block

_LARGEST = (1 << 63) - 1
_TRIPLES = {"threadIdx": UINT3, "blockDim": DIM3}
_CHECKS = frozenset(("assigned", "divisor", "on axis"))
"""What a thread does by itself and an element may do, too."""


class IndexEntry(NamedTuple):
    """What is computed: one expression, whose value may be two numbers, or two.

    Attributes:
        place: where the person wrote it.
        end: where what they wrote ends.
    """

    values: tuple[syntax.Expression, ...]
    place: Place
    end: Place


class CalledEntry(NamedTuple):
    """What is computed: a function of the source, called with numbers of the elements.

    Attributes:
        given: the names of the numbers, in order.
        place: where the person wrote it.
        end: where what they wrote ends.
    """

    name: str
    given: tuple[str, ...]
    place: Place
    end: Place

    @property
    def values(self) -> tuple[syntax.Expression, ...]:
        """The call as an expression."""
        function, *arguments = (
            syntax.Name(self.place, (syntax.NamePart(self.place, name),))
            for name in (self.name, *self.given)
        )
        return (syntax.Call(self.place, function, tuple(arguments)),)


@dataclass(eq=False)
class CppProgram:
    """An index in CUDA C++.

    Attributes:
        entry: what is computed of it.
        names: numbers of the elements by name, in their types.
        function: it returns one integer, or two.
        arguments: by its parameters, which of `names` it takes.
        shared: what it shares with the functions that it calls.
        checked: operations (by id) that may be undefined.
        given: the numbers of `names` for which the program runs.
    """

    tree: declared.TranslationUnit
    entry: IndexEntry | CalledEntry
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
    module = Module(program.tree, program.shared, HOOKS, divisions=divisions, device=True)
    module.names = {**_values(program), **module.names}
    if not _lower_called(module, program):
        _lower_values(module, program)
    for instance in module.instances.values():
        program.checked |= _find_checked(instance.lowered)
        if not isinstance(instance.result, VoidType) and instance.source.result is not None:
            _check_end(module, instance, program.entry.end)


def _lower_values(module: Module, program: CppProgram) -> None:
    """Lower what is computed as a function around it, which returns it as int64."""
    entry, function = program.entry, program.function
    unit = CudaUnit(module, function, Scopes({}), frozenset(), None)
    with unit.apart() as before:
        parts = [part for value in entry.values for part in _numbers(unit, entry.place, value)]
    if len(parts) > 2:
        raise NotUnderstood(fact("layout.numbers-returned", count=len(parts)), *entry.place[:2])
    function.result = Tuple((INT64,) * len(parts))
    packed = nodes.Pack(function.result, tuple(parts))
    function.body = (nodes.Return(unit.site(entry.place), packed, tuple(before)),)
    program.checked = _find_checked(function)


def _lower_called(module: Module, program: CppProgram) -> bool:
    """Lower what is computed if it is one function that can run without another around it.

    Returns:
        False if what it takes or returns has to be converted, if it calls itself, or if it is not
        the only function that may be meant.
    """
    entry = program.entry
    if not isinstance(entry, CalledEntry) or entry.name in HANDLERS:
        return False
    found = module.names.get(entry.name)
    if not isinstance(found, Functions) or len(found.overloads) > 1:
        return False
    (source,) = found.overloads
    if any(not isinstance(module.names[name], Late) for name in entry.given):
        return False  # the source has another meaning for it
    kinds = [_kind(program.names[name]) for name in entry.given]
    if source.template is not None or not _takes(source, kinds):
        return False
    instance = lower_function(module, source, {}, tuple(map(Passed, kinds)))
    if module.recursive or not _is_index(instance.result):
        return False
    program.function = instance.lowered
    program.arguments = dict(zip(instance.lowered.parameters, entry.given, strict=True))
    return True


def _takes(source: declared.Function, kinds: Sequence[CType]) -> bool:
    """Return True if a function takes numbers of these types as they are."""
    if "__global__" in source.specifiers or len(source.parameters) != len(kinds):
        return False
    types = [KEYWORDS.get(trees.type_name(each.type) or "") for each in source.parameters]
    return types == kinds


def _is_index(kind: CType) -> bool:
    """Return True for an integer that int64 holds, and for one or two of them."""
    parts = [each.type for each in kind.members] if isinstance(kind, StructType) else [kind]
    return 1 <= len(parts) <= 2 and all(
        isinstance(part, Arithmetic) and part.is_integer and part.dtype != UINT64 for part in parts
    )


def _values(program: CppProgram) -> dict[str, Late]:
    """Return what the names of an exercise stand for, of which a text uses few."""
    found: dict[str, Late] = {}
    for name in _list_objects(tuple(program.names)):
        make = _triple if name in _TRIPLES else _element
        found[name] = Late(partial(make, program, name))
    for name, value in program.constants.items():
        kind = INT if -(2**31) < value < 2**31 else LONG_LONG
        found[name] = Late(partial(number, kind, value))
    return found


@lru_cache
def _list_objects(names: tuple[str, ...]) -> frozenset[str]:
    """Return the names without members: those of most exercises are the same."""
    return frozenset(name.partition(".")[0] for name in names)


def _triple(program: CppProgram, name: str) -> Value:
    members = tuple(_element(program, f"{name}.{axis}") for axis in "xyz")
    return Aggregate(_TRIPLES[name], members, const=True)


def _element(program: CppProgram, name: str) -> Plain:
    numbers = program.names.get(name)
    if numbers is None:
        return number(UNSIGNED, 0)
    kind = _kind(numbers)

    def get(chunk: Chunk) -> Array:
        return as_vector(program.given[name], chunk)

    return Plain(kind, nodes.Position(kind.dtype, name, get))


def _kind(numbers: Array) -> Arithmetic:
    """Return the type that C++ has for numbers of the elements."""
    return UNSIGNED if numbers.dtype == np.uint32 else INT


def _numbers(unit: CudaUnit, place: Place, node: syntax.Expression) -> list[Expression]:
    """Lower an expression to one number, or to the two of an `int2`."""
    value = load(unit, node, lower(unit, node))
    parts = value.members if isinstance(value, Aggregate) else (value,)
    return [_index(unit, place, part) for part in parts]


def _index(unit: CudaUnit, place: Place, value: Value) -> Expression:
    """Return an index as int64.

    Raises:
        NotUnderstood: it is not an integer.
    """
    if isinstance(value.type, VoidType):
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


def _check_end(module: Module, instance: Instance, end: Place) -> None:
    """Add what finds elements that reach the end of a function without a value.

    A function that changes its arguments returns them there.
    """
    source, lowered = instance.source, instance.lowered
    assert source.body is not None  # it was lowered
    own, last = lowered.body, lowered.body[:0]
    if instance.outputs:
        own, last = own[:-1], own[-1:]
    if own and isinstance(own[-1], nodes.Return):
        return
    last_place = end if source.body.end.path == AROUND else source.body.end
    site = module.program.sites.at(last_place.line, last_place.column, last_place.path)
    check = perform(Nothing(), "end", _no_value, (), site)
    lowered.body = (*own, nodes.Step(site, (nodes.Do(check),)), *last)


def _no_value(active: BoolArray) -> None:
    fault_where(np.ones(1, np.bool_), active, fact("layout.nothing-returned"))


def _find_checked(function: nodes.Function) -> frozenset[int]:
    """Return the operations that may be undefined; refuse what looks at other threads.

    Raises:
        NotUnderstood: the function does.
    """
    found = set[int]()
    for node in walk_block(function.body):
        if isinstance(node, nodes.Operate):
            if node.site is not None:
                found.add(id(node))
        elif isinstance(node, nodes.Perform) and not is_own(node) and node.name not in _CHECKS:
            raise NotUnderstood(unavailable(node.name), node.site.line, node.site.column)
    return frozenset(found)


def run_cpp(program: CppProgram, names: Mapping[str, Array], elements: int) -> tuple[Array, ...]:
    """Compute the indices of a program: one or two (elements,) or (1,) arrays of int64.

    Args:
        names: numbers for each name, (elements,) or (1,), of the types that it was read with.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    chunk = make_elements(elements)
    program.given = names
    try:
        arguments = {own: as_vector(names[its], chunk) for own, its in program.arguments.items()}
        found: Any = run_function(program.function, chunk, arguments, program.checked)
    except OutOfBudget as stop:
        site = stop.site
        raise TooMuchWork(fact("layout.does-not-end"), site.line, site.column) from None
    _check_findings(program, chunk.launch.findings)
    indices = found if isinstance(found, tuple) else (found,)
    return tuple(as_numbers(each, elements).astype(np.int64, copy=False) for each in indices)


def _check_findings(program: CppProgram, findings: Findings) -> None:
    """Make the first fault of memory, such as an index beyond a local array, one of its element."""
    for found in findings.all():
        if found.kind != "warning" and found.threads:
            said, element = program.shared.describe(found), found.threads[0][0]
            raise NoValue(said.what, said.line, said.column, said.hint, element)
