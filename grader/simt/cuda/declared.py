"""Functions, structs, and what else a source declares; and the whole of it, `TranslationUnit`."""

from __future__ import annotations

from typing import TypeAlias

from grader.frozen import frozen
from grader.simt.cuda import syntax
from grader.simt.errors import Refused


@frozen
class Alias(syntax.Node):
    """`using name = type;`, of a template if `template` is not None; a `typedef` is one, too."""

    name: str
    type: syntax.Type
    template: tuple[TemplateParameter, ...] | None = None
    scope: tuple[str, ...] = ()


@frozen
class Enumerator(syntax.Node):
    """`name = value` of an enum."""

    name: str
    value: syntax.Expression | None


@frozen
class Enum(syntax.Node):
    """`enum name : underlying {enumerators}`, an `enum class` if `scoped`; the name may be ""."""

    name: str
    enumerators: tuple[Enumerator, ...]
    scoped: bool = False
    underlying: syntax.Type | None = None
    scope: tuple[str, ...] = ()


@frozen
class StaticAssert(syntax.Node):
    """`static_assert(condition, message)`."""

    condition: syntax.Expression
    message: syntax.StringLiteral | None
    scope: tuple[str, ...] = ()


@frozen
class Using(syntax.Node):
    """`using namespace name;`, or `using name;` if not `namespace`.

    A `pack` has one for each element of the packs that the name has.
    """

    name: syntax.Name
    namespace: bool
    scope: tuple[str, ...] = ()
    pack: bool = False


@frozen
class TemplateParameter(syntax.Node):
    """`typename name = default`, or `type name = default`; the name may be "".

    `type` is None for a parameter that is a type itself, or a class template if `template`; a
    `pack` takes any number of arguments.
    """

    name: str
    type: syntax.Type | None
    default: syntax.TemplateArgument | None = None
    pack: bool = False
    template: bool = False


@frozen
class Parameter(syntax.Node):
    """A function's parameter; `place` is the name's. The name may be "".

    An array is still an `ArrayType` here, which C++ makes a pointer. A `pack` has a parameter for
    each element of the packs that its type names.
    """

    name: str
    type: syntax.Type
    default: syntax.Expression | None = None
    pack: bool = False


@frozen
class MemberInitializer(syntax.Node):
    """`name(values)` or `name{values}` of a constructor; the name may be the struct's or a base's.

    A `pack` has one for each element of the packs that it names.
    """

    name: syntax.Name
    initializer: syntax.Initializer
    pack: bool = False


@frozen
class Function(syntax.Node):
    """A function, or a declaration of one if `body` is None and there is no `refusal`.

    Attributes:
        name: "operator+" for an operator, "operator float" for a conversion, the struct's for a
            constructor.
        result: None for a constructor.
        specifiers: those of `__global__ __device__ __host__ inline static constexpr
            __forceinline__ __noinline__ extern explicit friend virtual` that stand before it.
            A member without `__device__` is a host function and has no body, unless it is
            constexpr or defaulted.
        template: its parameters; None if it is no template, () for a specialization.
        specialized: the arguments of a specialization, as written behind the name.
        launch_bounds: most threads, least blocks per SM, most blocks per cluster, as written.
        cluster: blocks of a cluster along each axis, as written.
        owner: the struct, of a member that is defined outside of it.
        const: whether it is a member that does not change its struct.
        defaulted: of `= default`.
        deleted: of `= delete`.
        refusal: why the body is not emulated; `body` is then None.
    """

    name: str
    result: syntax.Type | None
    parameters: tuple[Parameter, ...]
    body: syntax.Compound | None = None
    specifiers: frozenset[str] = frozenset()
    template: tuple[TemplateParameter, ...] | None = None
    specialized: tuple[syntax.TemplateArgument, ...] | None = None
    launch_bounds: tuple[syntax.Expression, ...] = ()
    cluster: tuple[syntax.Expression, ...] = ()
    owner: syntax.Name | None = None
    initializers: tuple[MemberInitializer, ...] = ()
    const: bool = False
    defaulted: bool = False
    deleted: bool = False
    scope: tuple[str, ...] = ()
    refusal: Refused | None = None


@frozen
class Base(syntax.Node):
    """A base class of a struct; a `pack` has one for each element of the packs that it names."""

    type: syntax.Type
    pack: bool = False


@frozen
class Struct(syntax.Node):
    """A struct, a class or a union, by `keyword`; members are in order. The name may be "".

    Attributes:
        friends: functions that it defines and that are no members.
        virtual: whether it declares a virtual function.
        members: per object.
        constants: static ones.
        functions: constructors and operators are among them.
        types: its aliases, enums, structs and assertions.
        alignment: of `__align__(n)` or `alignas(n)`.
        template: its parameters; None if it is no template, () for a full specialization.
        specialized: the arguments of a specialization, as written behind the name.
        scope: namespaces and structs around it, outermost first.
        private: names of members that only its own functions may use; none if it has friends.
    """

    name: str
    keyword: str
    members: tuple[syntax.Variable, ...]
    constants: tuple[syntax.Variable, ...] = ()
    functions: tuple[Function, ...] = ()
    types: tuple[TypeDeclaration, ...] = ()
    alignment: syntax.Expression | None = None
    template: tuple[TemplateParameter, ...] | None = None
    specialized: tuple[syntax.TemplateArgument, ...] | None = None
    scope: tuple[str, ...] = ()
    private: frozenset[str] = frozenset()
    bases: tuple[Base, ...] = ()
    friends: tuple[Function, ...] = ()
    virtual: bool = False


@frozen
class Guide(syntax.Node):
    """A deduction guide: a function of a class template's name whose result it tells."""

    function: Function


TypeDeclaration: TypeAlias = Alias | Enum | Struct | StaticAssert | Using
Statement: TypeAlias = (
    syntax.DeclarationStatement | syntax.Bindings | syntax.ExpressionStatement | syntax.Compound
    | syntax.Empty | syntax.If | syntax.For | syntax.RangeFor | syntax.While | syntax.DoWhile
    | syntax.Switch | syntax.Break | syntax.Continue | syntax.Return | syntax.Asm | TypeDeclaration
)  # fmt: skip
Declaration: TypeAlias = Function | Guide | syntax.Variable | TypeDeclaration


@frozen
class TranslationUnit:
    """A source: what a kernel can use of it, in order.

    Attributes:
        declarations: of all namespaces; `scope` of each says which.
        host_functions: names of functions that are skipped, since no kernel can call them.
        unavailable: names that no kernel can use, and why: host variables, structs with members of
            the standard library.
        headers: those of the system and of CUDA that it includes; none of them is read.
    """

    declarations: tuple[Declaration, ...]
    host_functions: frozenset[str] = frozenset()
    unavailable: tuple[tuple[str, Refused], ...] = ()
    headers: frozenset[str] = frozenset()

    @property
    def functions(self) -> tuple[Function, ...]:
        """Functions for the device, without the kernels and without members in their structs."""
        own = [each for each in self.declarations if isinstance(each, Function)]
        return tuple(each for each in own if "__global__" not in each.specifiers)

    @property
    def kernels(self) -> tuple[Function, ...]:
        """Kernels that have a body, or whose body is refused."""
        return tuple(
            function
            for function in self.declarations
            if isinstance(function, Function)
            and "__global__" in function.specifiers
            and (function.body or function.refusal)
        )

    @property
    def structs(self) -> tuple[Struct, ...]:
        """Structs, without those within another."""
        return tuple(each for each in self.declarations if isinstance(each, Struct))

    @property
    def variables(self) -> tuple[syntax.Variable, ...]:
        """Global variables and constants."""
        return tuple(each for each in self.declarations if isinstance(each, syntax.Variable))


def qualified_name(node: Function | Struct | Alias | Enum | syntax.Variable) -> str:
    """Return the name of a declaration with the namespaces around it."""
    return "::".join((*node.scope, node.name))
