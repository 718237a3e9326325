"""A CUDA C++ source while a kernel of it is lowered: its names, its types, its constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from numpy.typing import NDArray

from grader.did_you_mean import name_near
from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.headers import declares
from grader.simt.cuda.libraries import is_in_library, name_library
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.analysis.addressed import Addressed, Bodies
from grader.simt.cuda.lowering.analysis.lists import add_braces
from grader.simt.cuda.lowering.conversions import number, rvalue, selector
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.globals import place_global
from grader.simt.cuda.lowering.initializers import is_whole, make_initial
from grader.simt.cuda.lowering.model import groups
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    BUILT_IN,
    HEADERS,
    KEYWORDS,
    Arithmetic,
    ArrayOf,
    CType,
    FunctionOf,
    PointerTo,
    StructSource,
    StructType,
    VoidType,
    bindings_of,
    decay,
    depends,
    is_closure,
)
from grader.simt.cuda.lowering.model.values import OwnNumber, Value
from grader.simt.cuda.lowering.storage import declare_shared
from grader.simt.cuda.lowering.templates import constants
from grader.simt.cuda.lowering.templates.enums import lower_enum
from grader.simt.cuda.lowering.templates.packs import flat, unpack
from grader.simt.cuda.lowering.templates.parameters import (
    argument_of,
    bind_template,
    binding_key,
    class_of,
    deduced_type,
    describe_binding,
)
from grader.simt.cuda.lowering.templates.specializations import choose_specialization
from grader.simt.cuda.lowering.templates.structs import complete
from grader.simt.cuda.lowering.templates.type_traits import common_type, find_group
from grader.simt.cuda.lowering.unit import (
    AROUND_OWNER,
    OWNER,
    CudaUnit,
    Entity,
    Functions,
    Hooks,
    Pending,
    Template,
    TypeName,
    Unavailable,
    pick_definitions,
)
from grader.simt.cuda.names import STANDARD_NAMES
from grader.simt.cuda.trees import is_volatile
from grader.simt.errors import Refused

DIVISIONS = {"/": "div", "%": "rem"}


@frozen(eq=False)
class Late:
    """A name that stands for what is made when it is first used."""

    make: Callable[[], Entity]


@dataclass(eq=False)
class Module:
    """A source, and what was lowered of it.

    Attributes:
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
        origins: of lambdas, by their types; see `stored_closures`.
        constant_bytes: of the constant memory that it uses.
        unpacked: templates that were written out for a number of elements; see `packs`.
    """

    tree: declared.TranslationUnit
    program: Any
    hooks: Hooks
    symbols: dict[str, NDArray[Any]] = field(default_factory=dict)
    dynamic: dict[str, str] = field(default_factory=dict)
    divisions: Mapping[str, str] = field(default_factory=lambda: DIVISIONS)
    device: bool = False
    names: dict[str, Any] = field(default_factory=dict)
    structs: dict[Any, StructType] = field(default_factory=dict)
    enums: dict[int, Arithmetic] = field(default_factory=dict)
    instances: dict[Any, Any] = field(default_factory=dict)
    under_way: dict[Any, Any] = field(default_factory=dict)
    recursive: set[Any] = field(default_factory=set)
    bodies: Bodies = field(default_factory=Bodies)
    addressed: Addressed = field(init=False)
    changed: dict[int, frozenset[str]] = field(default_factory=dict)
    pointed: dict[Any, Any] = field(default_factory=dict)
    origins: dict[Any, Any] = field(default_factory=dict)
    unpacked: dict[Any, Any] = field(default_factory=dict)
    guides: dict[str, list[declared.Function]] = field(default_factory=dict)
    """The deduction guides of class templates, by full name."""
    _specialized: dict[str, list[declared.Struct]] = field(default_factory=dict)
    """The specializations of class templates, by full name."""
    _variables: dict[Any, Entity] = field(default_factory=dict)
    """Templates of variables, by their source and what they are specialized for."""
    _endings: dict[str, str] = field(default_factory=dict)
    """The first full name that ends in each name, with fewer namespaces around it."""
    constant_bytes: int = 0

    def __post_init__(self) -> None:
        self.addressed = Addressed(self.tree, self.bodies)
        functions: dict[str, list[declared.Function]] = {}
        for declaration in self.tree.declarations:
            if isinstance(declaration, declared.Function):
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

    @cached_property
    def friend_names(self) -> frozenset[str]:
        """The names of friends that structs define."""
        return frozenset(each.name for struct in self.tree.structs for each in struct.friends)

    def _declare(self, node: declared.Declaration) -> None:
        match node:
            case declared.Struct() if node.specialized is not None:
                self._specialized.setdefault(qualified_name(node), []).append(node)
            case declared.Struct() | declared.Alias() | syntax.Variable():
                self._add(qualified_name(node), Pending(node))
            case declared.Enum():
                self._declare_enum(node)
            case declared.Guide(function=guide):
                self.guides.setdefault(qualified_name(guide), []).append(guide)

    def _add(self, name: str, entity: Any, *, scoped: bool = False) -> None:
        self.names[name] = entity
        ending = name
        while (ending := ending.partition("::")[2]) and ("::" in ending or not scoped):
            self._endings.setdefault(ending, name)

    def _declare_enum(self, node: declared.Enum) -> None:
        if node.name:
            self._add(qualified_name(node), Pending(node))
        for each in () if node.scoped else node.enumerators:
            self._add("::".join((*node.scope, each.name)), Pending(node, each.name))

    def find(self, unit: CudaUnit, name: syntax.Name) -> Entity | None:
        """Return what a name stands for; None if the source has none of it."""
        written = name.spelled
        local = None if name.rooted else unit.scopes.find(written)
        others = name.parts[-1].arguments is not None  # a struct's name alone means itself in it
        if local is not None and not (others and isinstance(local, TypeName)):
            return local
        owner = None if len(name.parts) > 1 or name.rooted else unit.scopes.find(OWNER)
        while isinstance(owner, TypeName):
            member = self.find_member(unit, owner.type, written, alone=True)
            if member is not None:
                return member
            bound = bindings_of(owner.type) if isinstance(owner.type, StructType) else {}
            owner = bound.get(AROUND_OWNER)
        of_file = written if name.rooted and written in self.names else None
        full = of_file or unit.full_name(written, self.names) or self._endings.get(written)
        if (
            full is None
            and written.removeprefix("std::") in constants.TRAITS
            and constants.TRAIT not in self.names
        ):
            for declaration in constants.type_traits():  # which few sources name
                self._declare(declaration)
            return self.find(unit, name)
        if full is not None:
            found = self._resolve(unit, full)
            if isinstance(found, Template) and isinstance(found.source, syntax.Variable):
                return self._variable(unit, name, found.source)
            return found
        return self._qualified(unit, name) if len(name.parts) > 1 else None

    def _qualified(self, unit: CudaUnit, name: syntax.Name) -> Entity | None:
        """Return what `struct::name` stands for; None if that is no struct, or has none of it."""
        around = syntax.Name(name.place, name.parts[:-1], name.rooted)
        entity = self.find(unit, around)
        known = entity is None and around.spelled.removeprefix("std::") in constants.CONSTANTS
        is_type = isinstance(entity, TypeName) or (
            isinstance(entity, Template) and not isinstance(entity.source, syntax.Variable)
        )
        if not (known or is_type):
            return None
        return self.find_member(unit, self._named(unit, around), name.parts[-1].identifier)

    def find_member(
        self, unit: CudaUnit, kind: CType, name: str, *, alone: bool = False
    ) -> Entity | None:
        """Return what a type has by a name beside what each object has; None if nothing.

        A name `alone` means nothing of a base that depends on the parameters of its template.
        """
        if isinstance(kind, Arithmetic) and kind.enum and name in kind.enum.values:
            return number(kind, kind.enum.values[name])
        if not isinstance(kind, StructType) or kind.source is None:
            return None
        source, bindings = kind.source.tree, kind.source.bindings
        functions = pick_definitions(each for each in source.functions if each.name == name)
        if functions and name != source.name:
            return Functions(functions, bindings)
        with unit.scopes.inner(bindings):
            for constant in source.constants:
                if constant.name == name:
                    return self._global(unit, constant)
            members = (self._member_type(unit, each, name, bindings) for each in source.types)
            member = next((entity for entity in members if entity is not None), None)
            if member is not None:
                return member
        for base, inherited in zip(source.bases, kind.bases, strict=False):
            if alone and depends(base, source):
                continue
            if (found := self.find_member(unit, inherited, name, alone=alone)) is not None:
                return found
        return None

    def _member_type(
        self, unit: CudaUnit, node: declared.TypeDeclaration, name: str, bindings: dict[str, Any]
    ) -> Entity | None:
        """Return what a type that is declared in a struct is by a name; None if nothing."""
        match node:
            case declared.Enum():
                kind, values = self.enum_of(unit, node)
                if node.name == name:
                    return TypeName(kind)
                own = name in values and not node.scoped
                return number(kind, values[name]) if own else None
            case declared.Alias() | declared.Struct() if node.name != name:
                return None
            case declared.Alias(template=None):
                return TypeName(self.type_of(unit, node.type), self.is_const(unit, node.type))
            case declared.Struct(template=None):
                return TypeName(self.struct_of(unit, node, bindings))
            case declared.Alias() | declared.Struct():
                return Template(node, bindings)
        return None

    def _resolve(self, unit: CudaUnit, name: str) -> Entity:
        found = self.names[name]
        if isinstance(found, Late):
            found = self.names[name] = found.make()
        elif isinstance(found, Pending):
            with unit.scopes.outside():
                found = self.names[name] = self._lower_pending(unit, found)
        entity: Entity = found
        return entity

    def _lower_pending(self, unit: CudaUnit, pending: Pending) -> Entity:
        source = pending.source
        match source:
            case declared.Enum():
                kind, values = self.enum_of(unit, source)
                if pending.enumerator:
                    return number(kind, values[pending.enumerator])
                return TypeName(kind)
            case declared.Struct(template=None):
                return TypeName(self.struct_of(unit, source))
            case declared.Alias(template=None):
                named = self.type_of(unit, source.type)
                return TypeName(named, self.is_const(unit, source.type))
            case syntax.Variable(template=None):
                return self._global(unit, source)
            case declared.Struct() | declared.Alias() | syntax.Variable():
                return Template(source)
        raise AssertionError(source)

    def _variable(self, unit: CudaUnit, name: syntax.Name, source: syntax.Variable) -> Entity:
        """Return a template of a variable for its arguments, once."""
        bindings = bind_template(unit, name, source)
        key = id(source), tuple(map(binding_key, bindings.values()))
        if key not in self._variables:
            written = f"<{', '.join(map(describe_binding, bindings.values()))}>"
            with unit.scopes.outside(), unit.scopes.inner(bindings):
                self._variables[key] = self._global(unit, source, written)
        return self._variables[key]

    def enum_of(self, unit: CudaUnit, node: declared.Enum) -> tuple[Arithmetic, Mapping[str, int]]:
        """Return the type of an enumeration, and the values of its enumerators; once."""
        if id(node) not in self.enums:
            self.enums[id(node)] = lower_enum(unit, node)
        kind = self.enums[id(node)]
        assert kind.enum is not None  # as its name says
        return kind, kind.enum.values

    def _global(self, unit: CudaUnit, node: syntax.Variable, written: str = "") -> Entity:
        """Return a constant, or the place of a variable; `written` has its template arguments."""
        if "__shared__" in node.specifiers:
            return declare_shared(unit, node, node.scope)
        given, (kind, fixed) = node.initializer, self.declared_type(unit, node)
        if is_closure(kind) and given is not None:
            return lower(unit, given.values[0])
        if fixed and given is not None and isinstance(kind, Arithmetic):
            value = folding.evaluate(rvalue(unit, node, make_initial(unit, node, kind, given)).node)
            if value is not None:
                return number(kind, value)
        return place_global(unit, node, kind, qualified_name(node) + written, fixed=fixed)

    def type_of(self, unit: CudaUnit, node: syntax.Type) -> CType:
        """Return the type that the source names.

        Raises:
            Refused: there is none of this name, or it is not emulated.
        """
        match node:
            case syntax.NamedType(_, name):
                return KEYWORDS.get(name.spelled) or self._named(unit, name)
            case syntax.PointerType(_, target):
                const = self.is_const(unit, target)
                return PointerTo(self.type_of(unit, target), const, volatile=is_volatile(target))
            case syntax.ReferenceType(_, target):
                return self.type_of(unit, target)
            case syntax.ArrayType(_, element, size):
                length = None if size is None else self.constant(unit, size)
                if size is not None and length is not None and length < 1:
                    raise unit.error(size, fact("cpp.array-size", n=length))
                return ArrayOf(self.type_of(unit, element), length)
            case syntax.FunctionType(_, result, parameters):
                kinds = (
                    decay(self.type_of(unit, each))
                    for each in parameters
                    if not isinstance(each, syntax.Expansion)
                )
                return FunctionOf(self.type_of(unit, result), tuple(kinds))
            case syntax.DecltypeType(_, operand):
                if isinstance(operand, syntax.Index) or _is_dereferenced(operand):
                    raise unit.refusal(node, fact("cpp.no-decltype-references"))
                with unit.unevaluated():
                    return lower(unit, operand).type
        raise AssertionError(node)

    def is_const(self, unit: CudaUnit, node: syntax.Type) -> bool:
        """Return True for a type whose values cannot be changed, also by what its name means."""
        if isinstance(node, syntax.ArrayType):
            return self.is_const(unit, node.element)
        if not isinstance(node, syntax.NamedType) or node.const:
            return trees.is_const(node)
        name = node.name
        if name.spelled in KEYWORDS or not name.parts or name.parts[-1].arguments is not None:
            return False
        entity = self.find(unit, name)
        return isinstance(entity, TypeName) and entity.const

    def parameter_type(self, unit: CudaUnit, node: syntax.Type) -> CType:
        """Return the type of a parameter: of an array that of a pointer to its elements."""
        kind = self.type_of(unit, node)
        whole = node.target if isinstance(node, syntax.ReferenceType) else node
        const = isinstance(kind, ArrayOf) and self.is_const(unit, whole)
        return decay(kind, const=const, volatile=is_volatile(whole))

    def _named(self, unit: CudaUnit, name: syntax.Name) -> CType:
        written = name.spelled.removeprefix("std::")
        match self.find(unit, name):
            case TypeName(kind):
                return kind
            case Unavailable(reason):
                raise reason
            case Template() as template:
                return self._of_template(unit, name, template)
        if name.parts[0].identifier == groups.NAMESPACE:
            return find_group(unit, name)
        if written in constants.CONSTANTS:
            return self._integral_constant(unit, name)
        if written in ("common_type::type", "common_type_t"):
            return common_type(unit, name)
        if written in BUILT_IN:
            kind = BUILT_IN[written]
            if kind in HEADERS:
                self.require_header(unit, name, HEADERS[kind])
            return kind
        raise unit.refusal(name, fact("cpp.no-type", name=written))

    def _integral_constant(self, unit: CudaUnit, name: syntax.Name) -> CType:
        """Return a type of `std` that stands for a number: each is an `integral_constant`."""
        last, boolean = name.parts[-1], TypeName(BOOLEAN)
        given = last.arguments or ()
        if last.identifier == constants.INTEGRAL_CONSTANT:
            return self._instantiate(unit, name, constants.integral_constant())
        if last.identifier in constants.TRUTHS:
            value = constants.TRUTHS[last.identifier]
        elif len(given) == 1 and not isinstance(given[0], syntax.Type):
            value = bool(self.constant(unit, given[0]))
        else:
            raise unit.error(name, fact("cpp.template-arguments", name=last.identifier))
        entities = boolean, number(BOOLEAN, value)
        bindings = dict(zip(("T", "v"), entities, strict=True))
        return self.struct_of(unit, constants.integral_constant(), bindings, entities)

    def require_header(self, unit: CudaUnit, name: syntax.Name, header: str) -> None:
        """Require the header that declares a type or a function of 16 or 8 bits.

        Raises:
            Refused: the source does not include it.
        """
        if not any(declares(given, header) for given in self.tree.headers):
            raise unit.error(name, fact("cpp.include-missing", name=name.spelled, header=header))

    def declared_type(self, unit: CudaUnit, node: syntax.Variable) -> tuple[CType, bool]:
        """Return the type of a variable, and whether it is const; `auto` is its initializer's."""
        const = self.is_const(unit, node.type) or "constexpr" in node.specifiers
        if trees.is_auto(base := trees.pointed(node.type)):
            if node.initializer is None or len(node.initializer.values) != 1:
                raise unit.error(node, fact("cpp.auto", type=trees.type_name(base), name=node.name))
            (value,) = node.initializer.values
            if isinstance(value, syntax.BraceList):
                raise unit.error(value, fact("cpp.auto-list"))
            with unit.unevaluated():
                given = lower(unit, value)
            if isinstance(given.type, VoidType):
                raise unit.refusal(node, fact("cpp.no-function-pointers"))
            kind = decay(given.type, const=getattr(given, "const", False))
            return deduced_type(unit, node, kind), const
        listed = () if node.initializer is None else node.initializer.values
        kind = class_of(unit, node.type, listed)
        if isinstance(kind, ArrayOf) and kind.length is None and listed:
            values = listed[0].values if isinstance(listed[0], syntax.BraceList) else listed
            kind = ArrayOf(kind.element, len(add_braces(kind, values, partial(is_whole, unit))))
        if isinstance(kind, VoidType):
            raise unit.error(node, fact("cpp.void-variable", name=node.name))
        return kind, const

    def _of_template(self, unit: CudaUnit, name: syntax.Name, template: Template) -> CType:
        """Return what a template is for the arguments behind its name."""
        match template.source:
            case declared.Struct() as source:
                return self._instantiate(unit, name, source, template.around)
            case declared.Alias() as source:
                return self._aliased(unit, name, source, template.around)
        raise unit.refusal(name, fact("cpp.no-class-template", name=template.source.name))

    def _aliased(
        self,
        unit: CudaUnit,
        name: syntax.Name,
        source: declared.Alias,
        around: Mapping[str, Any] | None,
    ) -> CType:
        """Return what a template of an alias stands for, for its arguments."""
        bindings = bind_template(unit, name, source)
        alias, bound = unpack(self, source, bindings)
        outside = unit.scopes.outside() if around is None else nullcontext()
        with unit.within(source.scope), outside, unit.scopes.inner({**(around or {}), **bound}):
            return self.type_of(unit, alias.type)

    def _instantiate(
        self,
        unit: CudaUnit,
        name: syntax.Name,
        source: declared.Struct,
        around: Mapping[str, Any] | None = None,
    ) -> StructType:
        """Return a class template for its arguments, once; a library of ours may have none."""
        if not is_in_library(source.place) or is_in_library(name.place):
            return self._instantiated(unit, name, source, around)
        try:
            return self._instantiated(unit, name, source, around)
        except Refused as error:
            if error.file == name.place.path:
                raise
            given = [argument_of(unit, each) for each in name.parts[-1].arguments or ()]
            written = f"{source.name}<{', '.join(map(describe_binding, given))}>"
            library = name_library(source.place)
            what = fact("cpp.no-library-name", name=written, library=library)
            raise unit.refusal(name, what) from None

    def _instantiated(
        self,
        unit: CudaUnit,
        name: syntax.Name,
        source: declared.Struct,
        around: Mapping[str, Any] | None,
    ) -> StructType:
        if source.specialized is not None:  # the parameters are not known
            written = enumerate(name.parts[-1].arguments or ())
            bindings = {str(at): argument_of(unit, each) for at, each in written}
        else:
            bindings = bind_template(unit, name, source)
        entities = flat(bindings)
        special = choose_specialization(
            unit, source, self._specialized.get(qualified_name(source), ()), entities
        )
        if special is None and source.specialized is not None:
            raise unit.error(name, fact("cpp.template-arguments", name=source.name))
        tree, bound = unpack(self, *(special or (source, bindings)))
        return self.struct_of(unit, tree, {**(around or {}), **bound}, entities)

    def struct_of(
        self,
        unit: CudaUnit,
        node: declared.Struct,
        bindings: dict[str, Any] | None = None,
        arguments: tuple[Entity, ...] = (),
    ) -> StructType:
        """Return a struct for what the parameters of its template stand for, once."""
        bound = bindings or {}
        own = sorted(name for name in bound if bound[name] is not bound.get(OWNER))
        key = id(node), tuple(binding_key(bound[name]) for name in own)
        if key not in self.structs:
            made = self.structs[key] = StructType(
                node.name, source=StructSource(node, dict(bound), arguments)
            )
            try:
                complete(unit, made)
            except Refused:
                del self.structs[key]
                raise
        return self.structs[key]

    def constant(self, unit: CudaUnit, node: syntax.Expression) -> int:
        """Return the value of a constant expression.

        Raises:
            Refused: it is not known before the launch.
        """
        with unit.apart() as operations:
            value = selector(unit, node, lower(unit, node))
        known = folding.evaluate(value.node, operations)
        if known is None:
            raise unit.error(node, fact("cpp.not-constant"))
        return int(known)

    def constant_of(self, unit: CudaUnit, node: syntax.Expression) -> Value:
        """Return a number that a constant expression has, in its own type.

        Raises:
            Refused: it is not known before the launch, or is no integer.
        """
        with unit.apart():
            kind = rvalue(unit, node, lower(unit, node)).type
        value = self.constant(unit, node)
        assert isinstance(kind, Arithmetic)  # an integer
        return OwnNumber(kind, number(kind, value).node)

    def unknown(self, unit: CudaUnit, node: syntax.Name, others: Iterable[str] = ()) -> Refused:
        """Make the error for a name that nothing has; `others` may be meant, too."""
        written = node.spelled
        if written in self.tree.host_functions:
            return unit.error(node, fact("cpp.host-function", name=written))
        if written.startswith("std::") and node.parts[1].identifier in STANDARD_NAMES:
            return unit.refusal(node, fact("cpp.no-std", name=node.parts[1].identifier))
        instead = name_near(written, sorted({*self.names, *unit.scopes.known(), *others}))
        return unit.error(node, fact("cpp.unknown-name", name=written), instead)


def _is_dereferenced(node: syntax.Expression) -> bool:
    return isinstance(node, syntax.Unary) and node.operator in ("*", "++", "--")
