"""One function of a CUDA C++ source while it is lowered: its names, and what has been emitted.

With it, its float operations that a constant of type double makes double, as `x * 0.1` with a float
x. A compiler computes some of them in float nevertheless: a single sum, difference, product or
quotient whose result becomes a float at once, and comparisons, where the constant is exact in
float. nvcc 13.0 does so, and does not for `max` and other functions.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from grader.facts import Fact, fact
from grader.frozen import frozen
from grader.simt.checks.counters import Site
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.libraries import find_counted, is_in_library
from grader.simt.cuda.lowering.model.types import DOUBLE, FLOAT, CType, StructType
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace, Plain, Value
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.errors import Refused
from grader.simt.intrinsics.assigned import check_assigned
from grader.simt.memory.recorder import Recorder, Store
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation, Read, Set
from grader.simt.program.types import BOOL, Pointer, Type

_ARITHMETIC = ("+", "-", "*", "/")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(eq=False, slots=True)
class FloatWidening:
    """The operations of one function that a constant makes double.

    Attributes:
        found: what happens, by the places of the operations.
    """

    found: dict[Place, Fact] = field(default_factory=dict)
    _narrow: dict[int, tuple[Expression, Place]] = field(default_factory=dict)
    """Results, by the `id` of their nodes, that are computed in float if they become one."""

    def note_operation(
        self, node: syntax.Node, operator: str, operands: Sequence[Plain], result: Expression
    ) -> None:
        """Note an operator that is applied in double."""
        constant = _find_constant(operands)
        if constant is None:
            return
        exact = float(np.float32(constant)) == constant
        if exact and operator in _COMPARISONS:
            return
        self.found[node.place] = fact(
            "finding.double-constant", operator=operator, value=repr(constant)
        )
        if exact and operator in _ARITHMETIC:
            self._narrow[id(result)] = result, node.place

    def note_call(self, node: syntax.Node, function: str, operands: Sequence[Plain]) -> None:
        """Note a function of CUDA that is called in double."""
        constant = _find_constant(operands)
        if constant is not None:
            self.found[node.place] = fact(
                "finding.double-constant.call", function=function, value=repr(constant)
            )

    def note_negation(self, operand: Expression, result: Expression) -> None:
        """Note that a result is the negative of another."""
        if id(operand) in self._narrow:
            self._narrow[id(result)] = result, self._narrow[id(operand)][1]

    def note_float(self, result: Expression) -> None:
        """Note that a result becomes a float."""
        _, place = self._narrow.pop(id(result), (None, None))
        if place is not None:
            self.found.pop(place, None)


def _find_constant(operands: Sequence[Plain]) -> float | None:
    """Return the constant among the operands, if it is a double and another is a float."""
    if not any(each.type == FLOAT for each in operands):
        return None
    constants = (
        float(each.node.value)
        for each in operands
        if each.type == DOUBLE and isinstance(each.node, nodes.Number)
    )
    return next(constants, None)


@frozen(eq=False)
class Functions:
    """Functions of one name, among which a call chooses.

    Attributes:
        around: the parameters of the struct's template, if they are of a struct.
    """

    overloads: tuple[declared.Function, ...]
    around: Mapping[str, Any] = field(default_factory=dict)


def pick_definitions(functions: Iterable[declared.Function]) -> tuple[declared.Function, ...]:
    """Return the functions that have a body, or a reason not to be emulated.

    A template that only its specializations define is among them.
    """
    known = tuple(functions)
    if len(known) == 1 and known[0].body:  # as of most names
        return known
    found = tuple(each for each in known if each.body or each.refusal)
    special = {len(each.parameters) for each in found if each.template == ()}
    if special:
        defined = {len(each.parameters) for each in found if each.template}
        wanted = (each for each in known if each.template and not (each.body or each.refusal))
        found += tuple(
            each for each in wanted if not defined or len(each.parameters) in special - defined
        )
    return found


@frozen(eq=False)
class TypeName:
    """A type that has a name; `const` if its values cannot be changed."""

    type: CType
    const: bool = False


@frozen(eq=False)
class Template:
    """A struct, an alias, or a variable that takes template arguments.

    Attributes:
        around: what the struct that it is in knows; None of one that is in no struct.
    """

    source: declared.Struct | declared.Alias | syntax.Variable
    around: Mapping[str, Any] | None = None


@frozen(eq=False)
class Unavailable:
    """A name that no kernel can use, and why."""

    reason: Refused


@frozen(eq=False)
class Pending:
    """A constant or a type of the source that is lowered when it is first used.

    Attributes:
        source: its declaration; of an enumerator, that of its enumeration.
        enumerator: the name of an enumerator.
    """

    source: declared.Declaration
    enumerator: str = ""


OWNER = "::"
"""The struct around a function, among its bindings; no source has such a name."""
AROUND_OWNER = ":::"
"""The struct around that one, in which it is declared."""
_AGAIN = "'"
"""Between the name of a variable and its number, where a function has several of that name."""
Entity: TypeAlias = "Value | Functions | TypeName | Template | Unavailable"


class Scopes:
    """Names within a function, innermost scope last; the outermost are a template's parameters."""

    def __init__(self, outer: Mapping[str, Entity]) -> None:
        self._levels: list[dict[str, Entity]] = [dict(outer)]

    def find(self, name: str) -> Entity | None:
        """Return what a name stands for; None if the source has none of it."""
        for level in reversed(self._levels):
            if name in level:
                return level[name]
        return None

    def declare(self, name: str, entity: Entity) -> None:
        """Declare a name in the innermost scope."""
        self._levels[-1][name] = entity

    def visible(self) -> dict[str, Entity]:
        """Return what each name that is declared stands for."""
        return {name: entity for level in self._levels for name, entity in level.items()}

    def known(self) -> frozenset[str]:
        """Return every name that is declared."""
        return frozenset(name for level in self._levels for name in level)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Leave all scopes: what is declared outside of functions knows none of their names."""
        around, self._levels = self._levels, [{}]
        try:
            yield
        finally:
            self._levels = around

    def inner(self, names: Mapping[str, Entity] | None = None) -> _Inner:
        """Open a scope, which begins with `names`."""
        return _Inner(self._levels, names or {})


class _Inner:
    """A scope that is open; a third of the time of a generator, for each body and each call."""

    __slots__ = ("_levels", "_names")

    def __init__(self, levels: list[dict[str, Entity]], names: Mapping[str, Entity]) -> None:
        self._levels = levels
        self._names = names

    def __enter__(self) -> None:
        self._levels.append(dict(self._names))

    def __exit__(self, *_: object) -> None:
        self._levels.pop()


@dataclass(eq=False)
class CudaUnit:
    """One function while it is lowered for one list of argument types.

    Attributes:
        lowered: what the machine will run.
        addressed: names whose address is taken somewhere in it: they live in memory.
        deduced: whether `result` follows from the first `return`: then all have that type.
        refers: the type of what it returns a reference to that can be changed; None for all others.
        returns_place: whether it returns where that is: in memory.
        unused: the expression whose value is dropped, where it is a statement of its own.
        operations: what was emitted of the statement that is being lowered.
        outputs: parameters that are references to registers: their values are returned, too.
        result: type of what it returns; None in an `auto` function, until its first `return`.
        types: of the program's variables that stand for the source's.
        unset: the program's variables that are declared without a value, and their flags, which
            say which threads have given one: of those that are watched.
        watched: the variables that may be read without a value.
        widening: float operations that constants make double.
        uses: the `Read` nodes (by id) that need a value.
        recorder: what looks at a thread in a line of it, if somebody wants to.
        namespace: the namespaces around it, outermost first.
        own: the members of the struct whose function it is, by the names that mean them.
        closures: what its lambdas capture and the types that they make, by the lambda's `id`.
        lives: what its open scopes end with; see `lifetimes`.
        called_at: of a function of a library of ours, where the person calls it: all that it does
            is there. None for all others.
    """

    module: Any
    lowered: nodes.Function
    scopes: Scopes
    addressed: frozenset[str]
    result: CType | None
    deduced: bool = False
    refers: CType | None = None
    returns_place: bool = False
    unused: syntax.Expression | None = None
    operations: list[Operation] = field(default_factory=list)
    outputs: tuple[str, ...] = ()
    types: dict[str, Type] = field(default_factory=dict)
    unset: dict[str, str] = field(default_factory=dict)
    watched: frozenset[str] = frozenset()
    widening: FloatWidening = field(default_factory=FloatWidening)
    uses: dict[int, Read] = field(default_factory=dict)
    recorder: Recorder | None = None
    namespace: tuple[str, ...] = ()
    own: dict[str, Any] = field(default_factory=dict)
    closures: dict[int, Any] = field(default_factory=dict)
    called_at: Place | None = None
    lives: list[Any] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _names: dict[str, int] = field(default_factory=dict)

    def temporary(self) -> str:
        """Return the name of a variable that no other has."""
        return f"%{next(self._numbers)}"

    def variable(self, name: str) -> str:
        """Return the program's name for a new variable of the source."""
        number = self._names[name] = self._names.get(name, 0) + 1
        return name if number == 1 else f"{name}{_AGAIN}{number}"

    def be_followed(self, path: str) -> None:
        """Let the recorder, if there is one, look at this function of a file.

        It looks at the kernel's own file, and at numbers: a pointer's value says nothing.
        """
        program = self.module.program
        if program.recorder is None or program.path != path:
            return
        recorder: Recorder = program.recorder

        def follow(name: str, store: Store) -> Store:
            if isinstance(self.types.get(name), Pointer):
                return store
            return recorder.follow(name.partition(_AGAIN)[0], store)

        self.recorder, self.lowered.follow = recorder, follow

    def variable_type(self, name: str) -> Type:
        """Return the type of one of the program's variables."""
        return self.types[name]

    def emit(self, operation: Operation) -> None:
        """Add an operation to the statement that is being lowered."""
        self.operations.append(operation)

    def leave_unset(self, variable: str) -> None:
        """Note that a variable begins without a value."""
        self.unset[variable] = flag = f"%{variable} is set"
        self._flag(variable, flag, value=False)

    def set_variable(self, variable: str, value: Expression) -> None:
        """Emit what gives a variable of the source a value."""
        self.emit(Set(variable, value))
        if variable in self.unset:
            self._flag(variable, self.unset[variable], value=True)

    def _flag(self, variable: str, flag: str, *, value: bool) -> None:
        if variable in self.watched:
            self.emit(Set(flag, nodes.Number(BOOL, value)))

    def read_variable(self, node: syntax.Node, variable: str) -> Expression:
        """Return what a variable of the source holds, to be used at a node."""
        read = Read(self.types[variable], variable)
        if variable not in self.unset:
            return read
        self.uses[id(read)] = read
        if variable not in self.watched:
            return read
        flag = Read(BOOL, self.unset[variable])
        topic = "pointer" if isinstance(read.type, Pointer) else "variable"
        check = partial(check_assigned, variable.partition("'")[0], topic)
        site = self.site(node.place)
        return nodes.Perform(read.type, "assigned", check, (read, flag), site, alone=True)

    def hold(self, node: Expression) -> Expression:
        """Return an expression that may be evaluated again: a temporary, or a number."""
        if isinstance(node, nodes.Number) or (
            isinstance(node, Read) and nodes.is_temporary(node.variable)
        ):
            return node
        name = self.temporary()
        self.emit(Set(name, node))
        return Read(node.type, name)

    def hold_plain(self, value: Plain) -> Plain:
        """Return a value that may be used again."""
        return Plain(value.type, self.hold(value.node))

    def hold_value(self, value: Value) -> Value:
        """Return a value that may be used again: its numbers do not change with their place."""
        if isinstance(value, Aggregate):
            return replace(value, members=tuple(self.hold_value(each) for each in value.members))
        return self.hold_plain(value) if isinstance(value, Plain) else value

    def hold_place(self, place: MemoryPlace) -> MemoryPlace:
        """Return a place in memory that is located once, and may be read later."""
        return replace(place, pointer=self.hold(place.pointer), stored=None)

    def full_name(self, name: str, known: Container[str]) -> str | None:
        """Return the innermost known name that one means in its namespaces; None if none is."""
        scopes = (self.namespace[:depth] for depth in range(len(self.namespace), -1, -1))
        full = ("::".join((*scope, name)) for scope in scopes)
        return next((each for each in full if each in known), None)

    @contextmanager
    def within(self, namespace: tuple[str, ...]) -> Iterator[None]:
        """Find names as in another namespace."""
        before, self.namespace = self.namespace, namespace
        try:
            yield
        finally:
            self.namespace = before

    def keep_before(self, mark: int, value: Plain) -> Plain:
        """Return a value as it was when `mark` operations were emitted."""
        if mark == len(self.operations) or isinstance(value.node, nodes.Number):
            return value
        name = self.temporary()
        self.operations.insert(mark, Set(name, value.node))
        return Plain(value.type, Read(value.node.type, name))

    def apart(self) -> _Apart:
        """Collect what is emitted here, instead of adding it to the statement."""
        return _Apart(self)

    @contextmanager
    def unevaluated(self) -> Iterator[None]:
        """Lower something for its type alone: nothing is emitted, and nothing noted."""
        around, self.widening = self.widening, FloatWidening()
        try:
            with self.apart():
                yield
        finally:
            self.widening = around

    def site(self, place: Place) -> Site:
        """Return the place of a node, to count at."""
        program, ours = self.module.program, is_in_library(place)
        seen = self.called_at if ours and self.called_at else place
        file = "" if seen.path == program.path else seen.path
        site: Site = program.sites.at(seen.line, seen.column, file)
        if ours:
            site.library = find_counted(place) or site.library
        return site

    def seen(self, place: Place) -> Place:
        """Return where the person sees a place: not in a library of ours."""
        return self.called_at if self.called_at and is_in_library(place) else place

    def refusal(self, node: syntax.Node, what: Fact, instead: Fact | None = None) -> Refused:
        """Make the error for C++ that is not emulated."""
        return not_emulated(what, self.seen(node.place), instead)

    def error(self, node: syntax.Node, what: Fact, instead: Fact | None = None) -> Refused:
        """Make the error for what no compiler takes."""
        return ill_formed(what, self.seen(node.place), instead)


class _Apart:
    """Operations that are collected; a class as `_Inner` is one, for each statement."""

    __slots__ = ("_around", "_unit")

    def __init__(self, unit: CudaUnit) -> None:
        self._unit = unit

    def __enter__(self) -> list[Operation]:
        self._around, self._unit.operations = self._unit.operations, []
        return self._unit.operations

    def __exit__(self, *_: object) -> None:
        self._unit.operations = self._around


class Hooks(NamedTuple):
    """What expressions and declarations ask of the modules above them.

    Attributes:
        operator: applies an operator that the source defines for structs; None if it has none.
        has_constructor: tells whether the source gives a struct any.
        has_assignment: tells whether it gives a struct an `operator=`, also for a value of a type.
        initial: makes a value of a type that an initializer begins.
        closure: makes what a lambda is.
        copy_closure: copies one.
        bind: binds the parameters of a function's template.
        built_in: tells whether a function of CUDA has a name.
        destroy: calls the destructor of what is in a place.
        deduce: deduces the arguments of a class template.
    """

    call: Callable[..., Value]
    operator: Callable[..., Value | None]
    make: Callable[..., Value]
    has_constructor: Callable[[StructType], bool]
    has_assignment: Callable[..., bool]
    initial: Callable[..., Value]
    closure: Callable[..., Value]
    copy_closure: Callable[..., Value]
    bind: Callable[..., dict[str, Any] | None]
    built_in: Callable[[str], bool]
    destroy: Callable[..., None]
    deduce: Callable[..., CType]
