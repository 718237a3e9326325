"""A CUDA C++ source while a kernel of it is lowered: its names, its types, its constants."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.did_you_mean import find_nearest, name_nearest
from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda import syntax
from grader.simt.cuda.headers import declares
from grader.simt.cuda.libraries import is_in_library, name_library
from grader.simt.cuda.lowering import folding, groups
from grader.simt.cuda.lowering.addressed import Addressed, Bodies
from grader.simt.cuda.lowering.constants import (
    CONSTANTS,
    INTEGRAL_CONSTANT,
    TRUTHS,
    integral_constant,
)
from grader.simt.cuda.lowering.conversions import (
    convert,
    number,
    rvalue,
    selector,
    to_stored,
    whole,
)
from grader.simt.cuda.lowering.declarations import (
    declare_shared,
    designate_members,
    is_whole,
    layout_of,
    make_initial,
    place_of,
)
from grader.simt.cuda.lowering.enums import lower_enum
from grader.simt.cuda.lowering.expressions import lower, plain
from grader.simt.cuda.lowering.lists import add_braces
from grader.simt.cuda.lowering.narrowing import check_narrowing
from grader.simt.cuda.lowering.specializations import count_open, deduce_specialization
from grader.simt.cuda.lowering.templates import bind_argument, binding_key, describe_binding
from grader.simt.cuda.lowering.types import (
    BOOLEAN,
    BUILT_IN,
    HEADERS,
    KEYWORDS,
    MOST_PARTS,
    Arithmetic,
    ArrayOf,
    CType,
    FunctionOf,
    Pointer,
    Struct,
    StructSource,
    Void,
    bindings_of,
    common_arithmetic,
    decay,
    defaults_of,
    has_defaults,
    is_closure,
    lay_out,
    lay_out_union,
    members_of,
    unnest,
)
from grader.simt.cuda.lowering.unit import (
    AROUND_OWNER,
    OWNER,
    Entity,
    Functions,
    Template,
    TypeName,
    Unavailable,
    Unit,
    pick_definitions,
)
from grader.simt.cuda.lowering.values import Memory as MemoryPlace
from grader.simt.cuda.lowering.values import OwnNumber, Plain, Value
from grader.simt.cuda.names import GLOBAL_SPACES, STANDARD_NAMES
from grader.simt.cuda.syntax import qualified_name
from grader.simt.errors import Refused
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import Expression, Memory, Number
from grader.simt.program.types import Array, Space

MOST_CONSTANT = 65_536
"""Bytes of constant memory of a source; ptxas refuses more."""
DIVISIONS = {"/": "div", "%": "rem"}


@frozen(eq=False)
class Late:
    """A name that stands for what is made when it is first used."""

    make: Callable[[], Entity]


@frozen(eq=False)
class Pending:
    """A constant or a type of the source that is lowered when it is first used.

    Attributes:
        source: its declaration; of an enumerator, that of its enumeration.
        enumerator: the name of an enumerator.
    """

    source: syntax.Declaration
    enumerator: str = ""


class Hooks(NamedTuple):
    """What expressions and declarations ask of the modules above them.

    Attributes:
        call: lowers a call.
        operator: applies an operator that the source defines for structs; None if it has none.
        make: makes a struct of arguments.
        has_constructor: tells whether the source gives a struct any.
        has_assignment: tells whether it gives a struct an `operator=`.
        initial: makes a value of a type that an initializer begins.
        closure: makes what a lambda is.
        bind: binds the parameters of a function's template.
        built_in: tells whether a function of CUDA has a name.
    """

    call: Callable[..., Value]
    operator: Callable[..., Value | None]
    make: Callable[..., Value]
    has_constructor: Callable[[Struct], bool]
    has_assignment: Callable[[Struct], bool]
    initial: Callable[..., Value]
    closure: Callable[..., Value]
    bind: Callable[..., dict[str, Any] | None]
    built_in: Callable[[str], bool]


@dataclass(eq=False)
class Module:
    """A source, and what was lowered of it.

    Attributes:
        tree: the source.
        program: what all functions of a kernel share.
        hooks: what lowers calls, and what structs of the source do.
        symbols: the data of its variables in constant and global memory, by name.
        dynamic: the types of its dynamic shared arrays, by name.
        divisions: what `/` and `%` of integers are: in C++ they round toward zero.
        device: whether constants are the device's that name no memory space, as functions are.
        names: what is declared outside of functions, by its full name.
        structs: those that were laid out, by their source and what they are specialized for.
        enums: the types of enumerations, by the `id` of their source.
        instances: functions that were lowered, by their source and what they are specialized for.
        under_way: by the same keys, those whose body is being lowered, outermost first; None while
            the result is not known.
        recursive: keys of those that call themselves, also through others.
        bodies: what is in the bodies of functions.
        addressed: finds the variables of functions that live in memory.
        changed: names that lambdas may change, by the `id` of their functions.
        pointed: the functions that pointers point to; see `pointed`.
    """

    tree: syntax.TranslationUnit
    program: Any
    hooks: Hooks
    symbols: dict[str, NDArray[Any]] = field(default_factory=dict)
    dynamic: dict[str, str] = field(default_factory=dict)
    divisions: Mapping[str, str] = field(default_factory=lambda: DIVISIONS)
    device: bool = False
    names: dict[str, Any] = field(default_factory=dict)
    structs: dict[Any, Struct] = field(default_factory=dict)
    enums: dict[int, Arithmetic] = field(default_factory=dict)
    instances: dict[Any, Any] = field(default_factory=dict)
    under_way: dict[Any, Any] = field(default_factory=dict)
    recursive: set[Any] = field(default_factory=set)
    bodies: Bodies = field(default_factory=Bodies)
    addressed: Addressed = field(init=False)
    changed: dict[int, frozenset[str]] = field(default_factory=dict)
    pointed: dict[Any, Any] = field(default_factory=dict)
    _specialized: dict[str, list[syntax.Struct]] = field(default_factory=dict)
    """The specializations of class templates, by full name."""
    _variables: dict[Any, Entity] = field(default_factory=dict)
    """Templates of variables, by their source and what they are specialized for."""
    _endings: dict[str, str] = field(default_factory=dict)
    """The first full name that ends in each name, with fewer namespaces around it."""
    _constant_bytes: int = 0

    def __post_init__(self) -> None:
        self.addressed = Addressed(self.tree, self.bodies)
        functions: dict[str, list[syntax.Function]] = {}
        for declaration in self.tree.declarations:
            if isinstance(declaration, syntax.Function):
                functions.setdefault(qualified_name(declaration), []).append(declaration)
            else:
                self._declare(declaration)
        for name, overloads in functions.items():
            self._add(name, Functions(pick_definitions(overloads) or tuple(overloads)))
        for name, structs in self._specialized.items():
            if name not in self.names:  # a template without a definition of its own
                self._add(name, Pending(structs[0]))
        for name, reason in self.tree.unavailable:
            if name not in self.names:
                self._add(name, Unavailable(reason))

    @cached_property
    def function_names(self) -> frozenset[str]:
        """The last names of what may be called: functions, also of structs, types, and values."""
        members = (each.name for struct in self.tree.structs for each in struct.functions)
        return frozenset((*members, *(name.rpartition("::")[2] for name in self.names)))

    def _declare(self, node: syntax.Declaration) -> None:
        match node:
            case syntax.Struct() if node.specialized is not None:
                self._specialized.setdefault(qualified_name(node), []).append(node)
            case syntax.Struct() | syntax.Alias() | syntax.Variable():
                self._add(qualified_name(node), Pending(node))
            case syntax.Enum():
                self._declare_enum(node)

    def _add(self, name: str, entity: Any, *, scoped: bool = False) -> None:
        self.names[name] = entity
        ending = name
        while (ending := ending.partition("::")[2]) and ("::" in ending or not scoped):
            self._endings.setdefault(ending, name)

    def _declare_enum(self, node: syntax.Enum) -> None:
        if node.name:
            self._add(qualified_name(node), Pending(node))
        for each in () if node.scoped else node.enumerators:
            self._add("::".join((*node.scope, each.name)), Pending(node, each.name))

    def find(self, unit: Unit, name: syntax.Name) -> Entity | None:
        """Return what a name stands for; None if the source has none of it."""
        written = name.spelled
        local = unit.scopes.find(written)
        if isinstance(local, TypeName) and name.parts[-1].arguments is not None:
            local = None  # a struct's name within it means it, but not with other arguments
        if local is not None:
            return local
        owner = unit.scopes.find(OWNER) if len(name.parts) == 1 else None
        while isinstance(owner, TypeName):
            member = self.find_member(unit, owner.type, written)
            if member is not None:
                return member
            bound = bindings_of(owner.type) if isinstance(owner.type, Struct) else {}
            owner = bound.get(AROUND_OWNER)
        full = written if written in self.names else self._endings.get(written)
        if full is not None:
            found = self._resolve(unit, full)
            if isinstance(found, Template) and isinstance(found.source, syntax.Variable):
                return self._variable(unit, name, found.source)
            return found
        return self._qualified(unit, name) if len(name.parts) > 1 else None

    def _qualified(self, unit: Unit, name: syntax.Name) -> Entity | None:
        """Return what `struct::name` stands for; None if that is no struct, or has none of it."""
        around = syntax.Name(name.place, name.parts[:-1], name.rooted)
        match self.find(unit, around):
            case TypeName(kind):
                pass
            case Template(syntax.Struct() as source):
                kind = self._instantiate(unit, around, source)
            case None if around.spelled.removeprefix("std::") in CONSTANTS:
                kind = self._integral_constant(unit, around)
            case _:
                return None
        return self.find_member(unit, kind, name.parts[-1].identifier)

    def find_member(self, unit: Unit, kind: CType, name: str) -> Entity | None:
        """Return what a type has by a name beside what each object has; None if nothing."""
        if isinstance(kind, Arithmetic) and kind.enum and name in kind.enum.values:
            return number(kind, kind.enum.values[name])
        if not isinstance(kind, Struct) or kind.source is None:
            return None
        source, bindings = kind.source.tree, kind.source.bindings
        functions = pick_definitions(each for each in source.functions if each.name == name)
        if functions and name != source.name:
            return Functions(functions, bindings)
        with unit.scopes.inner(bindings):
            for constant in source.constants:
                if constant.name == name:
                    return self._global(unit, constant)
            found = (self._member_type(unit, each, name, bindings) for each in source.types)
            return next((entity for entity in found if entity is not None), None)

    def _member_type(
        self, unit: Unit, node: syntax.TypeDeclaration, name: str, bindings: dict[str, Any]
    ) -> Entity | None:
        """Return what a type that is declared in a struct is by a name; None if nothing."""
        match node:
            case syntax.Enum():
                kind, values = self._enum(unit, node)
                if node.name == name:
                    return TypeName(kind)
                own = name in values and not node.scoped
                return number(kind, values[name]) if own else None
            case syntax.Alias() | syntax.Struct() if node.name != name:
                return None
            case syntax.Alias(template=None):
                return TypeName(self.type_of(unit, node.type))
            case syntax.Struct(template=None):
                return TypeName(self._struct(unit, node, bindings))
            case syntax.Alias() | syntax.Struct():
                return Template(node)
        return None

    def _resolve(self, unit: Unit, name: str) -> Entity:
        found = self.names[name]
        if isinstance(found, Late):
            found = self.names[name] = found.make()
        elif isinstance(found, Pending):
            with unit.scopes.outside():
                found = self.names[name] = self._lower_pending(unit, found)
        entity: Entity = found
        return entity

    def _lower_pending(self, unit: Unit, pending: Pending) -> Entity:
        source = pending.source
        match source:
            case syntax.Enum():
                kind, values = self._enum(unit, source)
                if pending.enumerator:
                    return number(kind, values[pending.enumerator])
                return TypeName(kind)
            case syntax.Struct(template=None):
                return TypeName(self._struct(unit, source))
            case syntax.Alias(template=None):
                return TypeName(self.type_of(unit, source.type))
            case syntax.Variable(template=None):
                return self._global(unit, source)
            case syntax.Struct() | syntax.Alias() | syntax.Variable():
                return Template(source)
        raise AssertionError(source)

    def _variable(self, unit: Unit, name: syntax.Name, source: syntax.Variable) -> Entity:
        """Return a template of a variable for its arguments, once."""
        bindings = self._bind_template(unit, name, source)
        key = id(source), tuple(map(binding_key, bindings.values()))
        if key not in self._variables:
            written = f"<{', '.join(map(describe_binding, bindings.values()))}>"
            with unit.scopes.outside(), unit.scopes.inner(bindings):
                self._variables[key] = self._global(unit, source, written)
        return self._variables[key]

    def _enum(self, unit: Unit, node: syntax.Enum) -> tuple[Arithmetic, Mapping[str, int]]:
        """Return the type of an enumeration, and the values of its enumerators; once."""
        if id(node) not in self.enums:
            self.enums[id(node)] = lower_enum(unit, node)
        kind = self.enums[id(node)]
        assert kind.enum is not None  # as its name says
        return kind, kind.enum.values

    def _global(self, unit: Unit, node: syntax.Variable, written: str = "") -> Entity:
        """Return a constant, or the place of a variable; `written` has its template arguments."""
        if "__shared__" in node.specifiers:
            return declare_shared(unit, node, node.scope)
        given = node.initializer
        kind, fixed = self.declared_type(unit, node)
        if is_closure(kind) and given is not None:
            return lower(unit, given.values[0])
        if fixed and given is not None and isinstance(kind, Arithmetic):
            value = folding.fold(rvalue(unit, node, make_initial(unit, node, kind, given)).node)
            if value is not None:
                return number(kind, value)
        name = qualified_name(node) + written
        return replace(self._memory(unit, node, kind, name, fixed=fixed), const=fixed)

    def _memory(
        self, unit: Unit, node: syntax.Variable, kind: CType, name: str, *, fixed: bool
    ) -> MemoryPlace:
        """Return the place of a variable in constant or global memory."""
        if not node.specifiers & GLOBAL_SPACES and not (self.device and fixed):
            raise unit.error(node, fact("cpp.no-global", name=node.name))
        dtype, shape = layout_of(kind)
        if "__constant__" in node.specifiers:
            self._count_constant(unit, node, dtype.itemsize * math.prod(shape))
        if node.specifiers & GLOBAL_SPACES:
            if name not in self.symbols:
                self.symbols[name] = self._begin(unit, node, kind)
            data = self.symbols[name]
        else:  # no host knows it, and a template may have it once for each of its arguments
            data = self._begin(unit, node, kind)
        size = dtype.itemsize * math.prod(shape)
        if data.nbytes != size:  # as a host's compiler has it
            raise unit.error(
                node, fact("program.symbol-size", name=node.name, n=size, given=data.nbytes)
            )
        data = data.view(dtype).reshape(shape)
        space: Space = "constant" if "__constant__" in node.specifiers else "global"
        declared = DeclaredArray(node.name, dtype, shape, data=data)
        return place_of(kind, Memory(Array(dtype, len(shape), space), declared))

    def _begin(self, unit: Unit, node: syntax.Variable, kind: CType) -> NDArray[Any]:
        """Return the data that a variable begins with."""
        dtype, shape = layout_of(kind)
        try:
            data: NDArray[Any] = np.zeros(shape, dtype)
        except (MemoryError, ValueError):  # NumPy cannot count so many
            size = dtype.itemsize * math.prod(shape)
            raise unit.error(node, fact("cpp.no-room", name=node.name, bytes=size)) from None
        given = node.initializer
        values = () if given is None else given.values
        listed = given is not None and given.form == "{}"
        for offset, value in self._values(unit, kind, values, 0, listed=listed):
            data.reshape(-1).view(np.uint8)[offset : offset + value.nbytes] = np.frombuffer(
                value.tobytes(), np.uint8
            )
        return data

    def _count_constant(self, unit: Unit, node: syntax.Variable, size: int) -> None:
        """Count a variable in constant memory, of which a device has little."""
        self._constant_bytes += size
        if self._constant_bytes > MOST_CONSTANT:
            what = fact("cpp.constant-memory", bytes=self._constant_bytes, most=MOST_CONSTANT)
            raise unit.error(node, what)

    def _values(
        self,
        unit: Unit,
        kind: CType,
        given: tuple[syntax.Expression, ...],
        start: int,
        *,
        listed: bool,
    ) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield the numbers that a variable begins with, and their offsets; the rest are zero."""
        if len(given) == 1 and isinstance(given[0], syntax.BraceList):
            given, listed = given[0].values, True
        if not isinstance(kind, (ArrayOf, Struct)):
            for value in given:
                yield start, self._number(unit, kind, value, listed=listed)
            if len(given) > 1:
                raise unit.error(given[1], fact("cpp.too-many-values"))
            return
        yield from self._parts(unit, kind, given, start)

    def _parts(
        self,
        unit: Unit,
        kind: ArrayOf | Struct,
        given: tuple[syntax.Expression, ...],
        start: int,
    ) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield the numbers that an array or a struct begins with, and their offsets."""
        match given:
            case (syntax.Construction(_, named, inside, braces=True),) if (
                self.type_of(unit, named) == kind
            ):
                given = inside
        values = add_braces(kind, given, partial(is_whole, unit))
        if (
            isinstance(kind, Struct)
            and values
            and (kind.alternatives or isinstance(values[0], syntax.Designated))
        ):
            yield from self._named_values(unit, kind, values, start)
            return
        count = len(kind.members) if isinstance(kind, Struct) else kind.length or 0
        if len(values) > count:
            raise unit.error(values[-1], fact("cpp.too-many-values"))
        if not has_defaults(kind):  # an array may have a hundred million elements
            count = len(values)
        for at, part in enumerate(islice(members_of(kind), count)):
            own, bound = values[at : at + 1], dict[str, Any]()
            if not own and isinstance(kind, Struct) and part.name in (known := defaults_of(kind)):
                own, bound = known[part.name].values, bindings_of(kind)
            with unit.scopes.inner(bound):
                yield from self._values(unit, part.type, own, start + part.offset, listed=True)

    def _named_values(
        self, unit: Unit, kind: Struct, values: tuple[syntax.Expression, ...], start: int
    ) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield the numbers of a union's member, or of members that are given by name."""
        if kind.alternatives and len(values) > 1:
            raise unit.error(values[1], fact("cpp.too-many-values"))
        given = dict(designate_members(unit, kind, values))
        for at, part in enumerate(kind.named):
            own: tuple[syntax.Expression, ...] = (given[at],) if at in given else ()
            bound = dict[str, Any]()
            if kind.alternatives and not own:
                continue
            if not own and part.name in (known := defaults_of(kind)):
                own, bound = known[part.name].values, bindings_of(kind)
            with unit.scopes.inner(bound):
                yield from self._values(unit, part.type, own, start + part.offset, listed=True)

    def _number(
        self, unit: Unit, kind: CType, value: syntax.Expression, *, listed: bool
    ) -> NDArray[Any]:
        """Return a number that is known before the launch, as memory holds it: without axes."""
        with unit.apart():
            number_given = plain(unit, value)
            if listed:
                check_narrowing(unit, value, number_given, kind)
            known = folding.fold(to_stored(kind, convert(unit, value, number_given, kind).node))
        if known is None:
            raise unit.error(value, fact("cpp.not-constant"))
        dtype, _ = layout_of(kind)
        return np.asarray(known).astype(dtype)

    # Types

    def type_of(self, unit: Unit, node: syntax.Type) -> CType:
        """Return the type that the source names.

        Raises:
            Refused: there is none of this name, or it is not emulated.
        """
        match node:
            case syntax.NamedType(_, name):
                return KEYWORDS.get(name.spelled) or self._named(unit, name)
            case syntax.PointerType(_, target):
                return Pointer(self.type_of(unit, target), syntax.is_const(target))
            case syntax.ReferenceType(_, target):
                return self.type_of(unit, target)
            case syntax.ArrayType(_, element, size):
                length = None if size is None else self.constant(unit, size)
                if size is not None and length is not None and length < 1:
                    raise unit.error(size, fact("cpp.array-size", n=length))
                return ArrayOf(self.type_of(unit, element), length)
            case syntax.FunctionType(_, result, parameters):
                kinds = (decay(self.type_of(unit, each)) for each in parameters)
                return FunctionOf(self.type_of(unit, result), tuple(kinds))
            case syntax.DecltypeType(_, operand):
                with unit.unevaluated():
                    return lower(unit, operand).type
        raise AssertionError(node)

    def _named(self, unit: Unit, name: syntax.Name) -> CType:
        written = name.spelled.removeprefix("std::")
        entity = self.find(unit, name)
        match entity:
            case TypeName(kind):
                return kind
            case Unavailable(reason):
                raise reason
            case Template(syntax.Struct() as source):
                return self._instantiate(unit, name, source)
            case Template(source):
                raise unit.refusal(name, fact("cpp.no-class-template", name=source.name))
        if name.parts[0].identifier == groups.NAMESPACE:
            return self._group(unit, name)
        if written in CONSTANTS:
            return self._integral_constant(unit, name)
        if written in ("common_type::type", "common_type_t"):
            return self._common_type(unit, name)
        if written in BUILT_IN:
            kind = BUILT_IN[written]
            if kind in HEADERS:
                self.require_header(unit, name, HEADERS[kind])
            return kind
        raise unit.refusal(name, fact("cpp.no-type", name=written))

    def _integral_constant(self, unit: Unit, name: syntax.Name) -> CType:
        """Return a type of `std` that stands for a number: each is an `integral_constant`."""
        last, boolean = name.parts[-1], TypeName(BOOLEAN)
        given = last.arguments or ()
        if last.identifier == INTEGRAL_CONSTANT:
            return self._instantiate(unit, name, integral_constant())
        if last.identifier in TRUTHS:
            value = TRUTHS[last.identifier]
        elif len(given) == 1 and not isinstance(given[0], syntax.Type):
            value = bool(self.constant(unit, given[0]))
        else:
            raise unit.error(name, fact("cpp.template-arguments", name=last.identifier))
        entities = boolean, number(BOOLEAN, value)
        bindings = dict(zip(("T", "v"), entities, strict=True))
        return self._struct(unit, integral_constant(), bindings, entities)

    def _common_type(self, unit: Unit, name: syntax.Name) -> CType:
        """Return what `std::common_type` of types is: theirs, or what numbers convert to."""
        given = next(each.arguments for each in name.parts if each.arguments is not None)
        kinds = [decay(self.type_of(unit, each)) for each in given if isinstance(each, syntax.Type)]
        common = kinds[0] if kinds else None
        for kind in kinds[1:]:
            if isinstance(common, Arithmetic) and isinstance(kind, Arithmetic) and common != kind:
                common = common_arithmetic(common, kind)
            elif common != kind:
                common = None
        if common is None:
            raise unit.refusal(name, fact("cpp.no-type", name=name.spelled))
        return common

    def _group(self, unit: Unit, name: syntax.Name) -> CType:
        """Return a type of cooperative groups."""
        self.require_header(unit, name, groups.HEADER)
        last = name.parts[-1]
        if last.identifier != groups.TILE:
            return groups.TYPES[last.identifier]
        written = last.arguments or ()
        if not written or isinstance(written[0], syntax.Type):
            raise unit.error(name, fact("cpp.template-arguments", name=last.identifier))
        size = self.constant(unit, written[0])
        tile = groups.tile_of(size)
        if tile is None:
            raise unit.refusal(name, fact("cpp.no-tile", size=size, group=groups.BLOCK.name))
        return tile

    def require_header(self, unit: Unit, name: syntax.Name, header: str) -> None:
        """Require the header that declares a type or a function of 16 or 8 bits.

        Raises:
            Refused: the source does not include it.
        """
        if not any(declares(given, header) for given in self.tree.headers):
            raise unit.error(name, fact("cpp.include-missing", name=name.spelled, header=header))

    def declared_type(self, unit: Unit, node: syntax.Variable) -> tuple[CType, bool]:
        """Return the type of a variable, and whether it is const; `auto` is its initializer's."""
        const = syntax.is_const(node.type) or "constexpr" in node.specifiers
        if syntax.is_auto(node.type):
            if node.initializer is None or len(node.initializer.values) != 1:
                raise unit.error(node, fact("cpp.auto", name=node.name))
            value = node.initializer.values[0]
            if isinstance(value, syntax.BraceList):
                raise unit.error(value, fact("cpp.auto-list"))
            with unit.unevaluated():
                kind = lower(unit, value).type
            if isinstance(kind, Void):
                raise unit.refusal(node, fact("cpp.no-function-pointers"))
            return decay(kind), const
        kind = self.type_of(unit, node.type)
        given = node.initializer
        if isinstance(kind, ArrayOf) and kind.length is None and given is not None:
            first = given.values[0]
            values = first.values if isinstance(first, syntax.BraceList) else given.values
            kind = ArrayOf(kind.element, len(add_braces(kind, values, partial(is_whole, unit))))
        if isinstance(kind, Void):
            raise unit.error(node, fact("cpp.void-variable", name=node.name))
        return kind, const

    def _instantiate(self, unit: Unit, name: syntax.Name, source: syntax.Struct) -> Struct:
        """Return a class template for its arguments, once; a library of ours may have none."""
        if not is_in_library(source.place) or is_in_library(name.place):
            return self._instantiated(unit, name, source)
        try:
            return self._instantiated(unit, name, source)
        except Refused as error:
            if error.file == name.place.path:
                raise
            given = [self._argument(unit, each) for each in name.parts[-1].arguments or ()]
            written = f"{source.name}<{', '.join(map(describe_binding, given))}>"
            library = name_library(source.place)
            what = fact("cpp.no-library-name", name=written, library=library)
            raise unit.refusal(name, what) from None

    def _instantiated(self, unit: Unit, name: syntax.Name, source: syntax.Struct) -> Struct:
        if source.specialized is not None:  # the parameters are not known
            written = enumerate(name.parts[-1].arguments or ())
            bindings = {str(at): self._argument(unit, each) for at, each in written}
        else:
            bindings = self._bind_template(unit, name, source)
        entities = tuple(bindings.values())
        special = self._find_specialization(unit, source, entities)
        if special is not None:
            return self._struct(unit, *special, entities)
        if source.specialized is not None:
            raise unit.error(name, fact("cpp.template-arguments", name=source.name))
        return self._struct(unit, source, bindings, entities)

    def _bind_template(
        self, unit: Unit, name: syntax.Name, source: syntax.Struct | syntax.Variable
    ) -> dict[str, Entity]:
        """Return what the parameters of a template stand for, in order."""
        written, parameters = name.parts[-1].arguments or (), source.template or ()
        bindings: dict[str, Entity] = {}
        with unit.scopes.inner():
            for at, parameter in enumerate(parameters):
                argument = written[at] if at < len(written) else parameter.default
                if argument is None or len(written) > len(parameters):
                    raise unit.error(name, fact("cpp.template-arguments", name=source.name))
                bound = bind_argument(unit, parameter, argument)
                bindings[parameter.name or f"{at}"] = bound
                unit.scopes.declare(parameter.name, bound)
        return bindings

    def _argument(self, unit: Unit, argument: syntax.TemplateArgument) -> Entity:
        """Return what an argument of a class template is."""
        if isinstance(argument, syntax.Type):
            return TypeName(self.type_of(unit, argument))
        return whole(self.constant(unit, argument))

    def _find_specialization(
        self, unit: Unit, source: syntax.Struct, entities: tuple[Entity, ...]
    ) -> tuple[syntax.Struct, dict[str, Entity]] | None:
        """Return the specialization of a class template for arguments that fixes most of them."""
        matching = list[tuple[tuple[int, int], syntax.Struct, dict[str, Entity]]]()
        for each in self._specialized.get(qualified_name(source), ()):
            bindings = self._match(unit, each, entities)
            if bindings is not None:
                matching.append((count_open(each), each, bindings))
        return min(matching, key=lambda each: each[0])[1:] if matching else None

    def _match(
        self, unit: Unit, special: syntax.Struct, entities: tuple[Entity, ...]
    ) -> dict[str, Entity] | None:
        """Return what the parameters of a specialization stand for; None if it does not fit."""
        patterns = special.specialized or ()
        bindings = deduce_specialization(special, entities)
        if bindings is None or len(patterns) > len(entities):
            return None
        try:
            with unit.scopes.inner(bindings):
                own = [self._argument(unit, pattern) for pattern in patterns]
        except Refused:  # it is for a type that is not emulated
            return None
        pairs = zip(own, entities, strict=False)
        fits = all(binding_key(one) == binding_key(other) for one, other in pairs)
        return bindings if fits else None

    def _struct(
        self,
        unit: Unit,
        node: syntax.Struct,
        bindings: dict[str, Any] | None = None,
        arguments: tuple[Entity, ...] = (),
    ) -> Struct:
        bound = bindings or {}
        own = sorted(name for name in bound if bound[name] is not bound.get(OWNER))
        key = id(node), tuple(binding_key(bound[name]) for name in own)
        if key not in self.structs:
            made = self.structs[key] = Struct(
                node.name, source=StructSource(node, dict(bound), arguments)
            )
            try:
                self._complete(unit, made)
            except Refused:
                del self.structs[key]
                raise
        return self.structs[key]

    def _complete(self, unit: Unit, made: Struct) -> None:
        """Lay out a struct, first without what its pointers point to: that may hold the struct."""
        assert made.source is not None  # it is of the source
        node, bindings = made.source.tree, made.source.bindings
        if OWNER in bindings:
            bindings[AROUND_OWNER] = bindings[OWNER]
        bindings[node.name] = bindings[OWNER] = TypeName(made)  # within it, its name means itself
        with unit.scopes.inner({**bindings}):
            alignment = 1 if node.alignment is None else self.constant(unit, node.alignment)
            sized = [
                (each, self.type_of(unit, syntax.forget_targets(each.type)))
                for each in node.members
            ]
            for each, kind in sized:
                inner, _ = unnest(kind)
                if is_closure(inner):
                    raise unit.refusal(each, fact("cpp.lambda-escapes"))
                if isinstance(inner, Struct) and not inner.size:
                    raise unit.error(each, fact("cpp.incomplete", type=inner.name))
            _lay_out(node, made, [(each.name, kind) for each, kind in sized], alignment)
            if made.parts > MOST_PARTS:
                raise unit.refusal(node, fact("cpp.large-struct", name=node.name, most=MOST_PARTS))
            members = [(each.name, self.type_of(unit, each.type)) for each in node.members]
        _lay_out(node, made, members, alignment)

    def declare_type(self, unit: Unit, node: syntax.TypeDeclaration) -> None:
        """Declare a type within a function.

        Raises:
            Refused: an assertion does not hold.
        """
        match node:
            case syntax.Alias(template=None):
                unit.scopes.declare(node.name, TypeName(self.type_of(unit, node.type)))
            case syntax.Struct(template=None):
                around = {
                    name: entity
                    for name, entity in unit.scopes.visible().items()
                    if isinstance(entity, (TypeName, Template)) or _is_constant(entity)
                }
                unit.scopes.declare(node.name, TypeName(self._struct(unit, node, around)))
            case syntax.Enum():
                kind, values = self._enum(unit, node)
                unit.scopes.declare(node.name, TypeName(kind))
                for name in () if node.scoped else values:
                    unit.scopes.declare(name, number(kind, values[name]))
            case syntax.StaticAssert(_, condition):
                if not self.constant(unit, condition):
                    raise unit.error(node, fact("cpp.assertion"))
            case syntax.Using():
                pass
            case _:
                raise unit.refusal(node, fact("cpp.no-class-template", name=node.name))

    # Constants

    def constant(self, unit: Unit, node: syntax.Expression) -> int:
        """Return the value of a constant expression.

        Raises:
            Refused: it is not known before the launch.
        """
        with unit.apart() as operations:
            value = selector(unit, node, lower(unit, node))
        known = None if operations else folding.fold(value.node)
        if known is None:
            raise unit.error(node, fact("cpp.not-constant"))
        return int(known)

    def constant_of(self, unit: Unit, node: syntax.Expression) -> Value:
        """Return a number that a constant expression has, in its own type.

        Raises:
            Refused: it is not known before the launch, or is no integer.
        """
        with unit.apart():
            kind = rvalue(unit, node, lower(unit, node)).type
        value = self.constant(unit, node)
        assert isinstance(kind, Arithmetic)  # an integer
        return OwnNumber(kind, number(kind, value).node)

    def known(self, node: Expression) -> Any:
        """Return the value of an expression that is known before the launch; else None."""
        return folding.fold(node)

    def are_same(self, unit: Unit, node: syntax.Name) -> bool | None:
        """Return what `std::is_same_v` of two types is; None for any other name."""
        if node.spelled not in ("std::is_same_v", "std::is_same::value"):
            return None
        given = node.parts[1].arguments or ()
        types = [each for each in given if isinstance(each, syntax.Type)]
        if len(types) != 2 or len(given) != 2:
            raise unit.error(node, fact("cpp.template-arguments", name=node.parts[1].identifier))
        first, second = types
        alike = self.type_of(unit, first) == self.type_of(unit, second)
        forms = {(syntax.is_const(each), isinstance(each, syntax.ReferenceType)) for each in types}
        return alike and len(forms) == 1

    def find_function(self, name: str) -> Functions | None:
        """Return the source's functions of a name; None if it has none."""
        found = self.names.get(name)
        return found if isinstance(found, Functions) else None

    def unknown(self, unit: Unit, node: syntax.Name, others: Iterable[str] = ()) -> Refused:
        """Make the error for a name that nothing has; `others` may be meant, too."""
        written = node.spelled
        if written in self.tree.host_functions:
            return unit.error(node, fact("cpp.host-function", name=written))
        if written.startswith("std::") and node.parts[1].identifier in STANDARD_NAMES:
            return unit.refusal(node, fact("cpp.no-std", name=node.parts[1].identifier))
        close = find_nearest(written, sorted({*self.names, *unit.scopes.known(), *others}))
        instead = name_nearest(tuple(close)) if close else None
        return unit.error(node, fact("cpp.unknown-name", name=written), instead)


def _is_constant(entity: Entity) -> bool:
    return isinstance(entity, Plain) and isinstance(entity.node, Number)


def _lay_out(
    node: syntax.Struct, made: Struct, members: Sequence[tuple[str, CType]], alignment: int
) -> None:
    (lay_out_union if node.keyword == "union" else lay_out)(made, members, alignment)
