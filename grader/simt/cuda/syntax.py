"""The syntax tree of a CUDA C++ source: frozen values, each with its place in the source.

What the tree guarantees:

- Each name was looked up while it was parsed, so what is a type stands as a type, the arguments of
  a template as arguments, and the rest are expressions. A `Name` that is none of the source's own
  is a built-in of CUDA, or unknown: the tree does not say which.
- Parentheses are gone: the tree is the order of evaluation. Precedence is C++17's.
- A declaration of several variables is several `Variable` nodes, each with its whole type:
  pointers, references and arrays are around the base type, the outermost first (`float *a[4]` is
  an array of four pointers to float). A `const` belongs to the node that it stands in.
- Types are as written, not resolved: `NamedType` names an arithmetic type in one canonical spelling
  ("unsigned long long"), or a struct, an alias, a parameter of a template.
- No node is more than `HIGHEST` nodes below its function, so a consumer may recurse.
- A body that uses C++ which is not emulated is not in the tree: its function has a `refusal`, to be
  raised if a launch needs it. Host functions are not there at all, only their names.
- Labels of a `switch` are directly in its body.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Literal, TypeAlias, get_args

from grader.frozen import frozen
from grader.simt.cuda.places import Place
from grader.simt.errors import Refused

HIGHEST = 200
"""Nodes from a declaration down to the deepest of it."""


@frozen
class Node:
    """Anything in the tree."""

    place: Place


# Names and types


@frozen
class NamePart(Node):
    """One identifier of a name, with the template arguments behind it; None if there are no `<>`.

    An operator's function has "operator+" as its identifier.
    """

    identifier: str
    arguments: tuple[TemplateArgument, ...] | None = None


@frozen
class Name(Node):
    """A name as an expression or in a type: `x`, `ns::f<32>`, `::g` (`rooted`)."""

    parts: tuple[NamePart, ...]
    rooted: bool = False

    @property
    def spelled(self) -> str:
        """As it is written, without template arguments."""
        if len(self.parts) == 1:
            return self.parts[0].identifier
        return "::".join(part.identifier for part in self.parts)


@frozen
class NamedType(Node):
    """A type by its name; "auto" and "void" are names, too."""

    name: Name
    const: bool = False
    volatile: bool = False


@frozen
class DecltypeType(Node):
    """`decltype(operand)`."""

    operand: Expression
    const: bool = False
    volatile: bool = False


@frozen
class PointerType(Node):
    """`target*`; `const`, `volatile` and `restrict` are those of the pointer itself."""

    target: Type
    const: bool = False
    volatile: bool = False
    restrict: bool = False


@frozen
class ReferenceType(Node):
    """`target&`, or `target&&` if `rvalue`."""

    target: Type
    rvalue: bool = False
    restrict: bool = False


@frozen
class ArrayType(Node):
    """`element[size]`; `size` is None for `[]`."""

    element: Type
    size: Expression | None


@frozen
class FunctionType(Node):
    """What a pointer to a function points to: `result(parameters)`."""

    result: Type
    parameters: tuple[Type, ...]


Type: TypeAlias = NamedType | DecltypeType | PointerType | ReferenceType | ArrayType | FunctionType


# Expressions


@frozen
class IntegerLiteral(Node):
    """An integer and its type, "int" to "unsigned long long"."""

    value: int
    type: str


@frozen
class FloatLiteral(Node):
    """A number of type "float" or "double". `value` is rounded to double, `text` is exact."""

    value: float
    type: str
    text: str


@frozen
class CharacterLiteral(Node):
    """A character, as a signed char: -128 to 127."""

    value: int


@frozen
class StringLiteral(Node):
    """Adjacent strings as one, in UTF-8, without the zero at the end."""

    value: bytes


@frozen
class BoolLiteral(Node):
    """`true` or `false`."""

    value: bool


@frozen
class NullPointer(Node):
    """`nullptr`."""


@frozen
class This(Node):
    """`this`."""


@frozen
class Unary(Node):
    """`operator operand`: one of `+ - ! ~ * & ++ --`."""

    operator: str
    operand: Expression


@frozen
class Postfix(Node):
    """`operand++` or `operand--`."""

    operator: str
    operand: Expression


@frozen
class Binary(Node):
    """`left operator right`, of what neither assigns nor is a comma; `place` is the operator's."""

    operator: str
    left: Expression
    right: Expression


@frozen
class Assignment(Node):
    """`target operator value`: `=`, `+=`, …; `place` is the operator's."""

    operator: str
    target: Expression
    value: Expression


@frozen
class Conditional(Node):
    """`test ? yes : no`; `place` is the question mark's."""

    test: Expression
    yes: Expression
    no: Expression


@frozen
class Comma(Node):
    """`left, right`; `place` is the comma's."""

    left: Expression
    right: Expression


CastStyle = Literal["C", "static_cast", "reinterpret_cast", "const_cast"]


@frozen
class Cast(Node):
    """`(type)operand`, or `style<type>(operand)`."""

    style: CastStyle
    type: Type
    operand: Expression


@frozen
class Construction(Node):
    """`type(arguments)`, or `type{arguments}` if `braces`; of one argument it is a cast."""

    type: Type
    arguments: tuple[Expression, ...]
    braces: bool = False


@frozen
class Member(Node):
    """`object.name`, or `object->name` if `arrow`; `place` is the name's."""

    object: Expression
    name: NamePart
    arrow: bool = False


@frozen
class Index(Node):
    """`object[index]`; `place` is the bracket's."""

    object: Expression
    index: Expression


@frozen
class Call(Node):
    """`function(arguments)`; `place` is where the function's name begins."""

    function: Expression
    arguments: tuple[Expression, ...]


@frozen
class SizeOf(Node):
    """`sizeof(operand)`, or `alignof(operand)` if `alignment`."""

    operand: Expression | Type
    alignment: bool = False


@frozen
class BraceList(Node):
    """`{values}`, as an initializer, an argument or a result."""

    values: tuple[Expression, ...]


@frozen
class Capture(Node):
    """What a lambda keeps of what is around it: `name`, `&name`, `name = initializer`.

    The name is "this" for `this`, which is captured by reference, and for `*this`.
    """

    name: str
    reference: bool = False
    initializer: Expression | None = None


@frozen
class Lambda(Node):
    """`[captures](parameters) { … }`; `default` is "=", "&" or "".

    `function` is its `operator()`; it is a template if a parameter is `auto`.
    """

    default: str
    captures: tuple[Capture, ...]
    function: Function


@frozen
class Designated(Node):
    """`.name = value` in a list."""

    name: str
    value: Expression


Expression: TypeAlias = (
    IntegerLiteral | FloatLiteral | CharacterLiteral | StringLiteral | BoolLiteral | NullPointer
    | This | Name | Unary | Postfix | Binary | Assignment | Conditional | Comma | Cast
    | Construction | Member | Index | Call | SizeOf | BraceList | Lambda
    | Designated
)  # fmt: skip
TemplateArgument: TypeAlias = Expression | Type


# Statements


@frozen
class Initializer(Node):
    """What a variable begins with: `= value`, `(values)` or `{values}`, by `form`.

    Of the form "=" there is one value, which may be a `BraceList`.
    """

    form: Literal["=", "()", "{}"]
    values: tuple[Expression, ...]


@frozen
class Variable(Node):
    """A variable, a member, or a constant; `place` is the name's.

    Attributes:
        specifiers: those of `__shared__ extern __constant__ __device__ __managed__ static constexpr
            inline mutable` that stand before it.
        alignment: of `__align__(n)` or `alignas(n)`; the last, if there are several.
        scope: namespaces and structs around it, outermost first; empty in a function.
        template: its parameters; None if it is no template.
    """

    name: str
    type: Type
    initializer: Initializer | None = None
    specifiers: frozenset[str] = frozenset()
    alignment: Expression | None = None
    scope: tuple[str, ...] = ()
    template: tuple[TemplateParameter, ...] | None = None


@frozen
class DeclarationStatement(Node):
    """Variables that are declared by one statement, in order."""

    variables: tuple[Variable, ...]


@frozen
class Bindings(Node):
    """`auto [a, b] = value;`, or of `auto&`; `type` is `auto` with what stands around it."""

    names: tuple[str, ...]
    type: Type
    initializer: Initializer


@frozen
class ExpressionStatement(Node):
    """An expression whose value is dropped."""

    expression: Expression


@frozen
class Compound(Node):
    """`{statements}`; `end` is the place of the closing brace."""

    statements: tuple[Statement, ...]
    end: Place


@frozen
class Empty(Node):
    """`;`."""


Condition: TypeAlias = "Expression | DeclarationStatement"
"""A declaration has one variable, whose value is tested: `if (int n = f())`."""


@frozen
class If(Node):
    """`if constexpr (initializer; condition) then else otherwise`."""

    condition: Condition
    then: Statement
    otherwise: Statement | None = None
    constexpr: bool = False
    initializer: Statement | None = None


@frozen
class Unroll(Node):
    """`#pragma unroll count` before a loop; without a count the whole loop, with 1 not at all."""

    count: Expression | None


@frozen
class For(Node):
    """`for (initializer; condition; step) body`; the initializer may be `Empty`."""

    initializer: Statement
    condition: Condition | None
    step: Expression | None
    body: Statement
    unroll: Unroll | None = None


@frozen
class RangeFor(Node):
    """`for (variable : range) body`; the variable has no initializer."""

    variable: Variable
    range: Expression
    body: Statement
    unroll: Unroll | None = None


@frozen
class While(Node):
    """`while (condition) body`."""

    condition: Condition
    body: Statement
    unroll: Unroll | None = None


@frozen
class DoWhile(Node):
    """`do body while (condition);`."""

    body: Statement
    condition: Expression
    unroll: Unroll | None = None


@frozen
class Section(Node):
    """Statements of a `switch` behind adjacent labels; the label None is `default`.

    Without a `break` the next section follows.
    """

    labels: tuple[Expression | None, ...]
    statements: tuple[Statement, ...]


@frozen
class Switch(Node):
    """`switch (initializer; value) {sections}`."""

    value: Condition
    sections: tuple[Section, ...]
    initializer: Statement | None = None


@frozen
class Break(Node):
    """`break;`."""


@frozen
class Continue(Node):
    """`continue;`."""


@frozen
class AsmOperand(Node):
    """`"constraint"(expression)` of inline PTX."""

    constraint: str
    expression: Expression


@frozen
class Asm(Node):
    """`asm("text" : outputs : inputs : …);`; what it says that it changes is not kept."""

    text: str
    outputs: tuple[AsmOperand, ...]
    inputs: tuple[AsmOperand, ...]


@frozen
class Return(Node):
    """`return value;`."""

    value: Expression | None = None


# Declarations


@frozen
class Alias(Node):
    """`using name = type;`, of a template if `template` is not None; a `typedef` is one, too."""

    name: str
    type: Type
    template: tuple[TemplateParameter, ...] | None = None
    scope: tuple[str, ...] = ()


@frozen
class Enumerator(Node):
    """`name = value` of an enum."""

    name: str
    value: Expression | None


@frozen
class Enum(Node):
    """`enum name : underlying {enumerators}`, an `enum class` if `scoped`; the name may be ""."""

    name: str
    enumerators: tuple[Enumerator, ...]
    scoped: bool = False
    underlying: Type | None = None
    scope: tuple[str, ...] = ()


@frozen
class StaticAssert(Node):
    """`static_assert(condition, message)`."""

    condition: Expression
    message: StringLiteral | None
    scope: tuple[str, ...] = ()


@frozen
class Using(Node):
    """`using namespace name;`, or `using name;` if not `namespace`."""

    name: Name
    namespace: bool
    scope: tuple[str, ...] = ()


@frozen
class TemplateParameter(Node):
    """`typename name = default`, or `type name = default`; the name may be "".

    `type` is None for a parameter that is a type itself.
    """

    name: str
    type: Type | None
    default: TemplateArgument | None = None


@frozen
class Parameter(Node):
    """A function's parameter; `place` is the name's. The name may be "".

    An array is still an `ArrayType` here, which C++ makes a pointer.
    """

    name: str
    type: Type
    default: Expression | None = None


@frozen
class MemberInitializer(Node):
    """`name(values)` or `name{values}` of a constructor; the name may be the struct's."""

    name: str
    initializer: Initializer


@frozen
class Function(Node):
    """A function, or a declaration of one if `body` is None and there is no `refusal`.

    Attributes:
        place: of the name.
        name: "operator+" for an operator, "operator float" for a conversion, the struct's for a
            constructor.
        result: None for a constructor.
        specifiers: those of `__global__ __device__ __host__ inline static constexpr
            __forceinline__ __noinline__ extern explicit` that stand before it. A member without
            `__device__` is a host function and has no body, unless it is constexpr or defaulted.
        template: its parameters; None if it is no template, () for a specialization.
        specialized: the arguments of a specialization, as written behind the name.
        launch_bounds: most threads, least blocks per SM, most blocks per cluster, as written.
        owner: the struct, of a member that is defined outside of it.
        const: whether it is a member that does not change its struct.
        defaulted: of `= default`.
        deleted: of `= delete`.
        refusal: why the body is not emulated; `body` is then None.
    """

    name: str
    result: Type | None
    parameters: tuple[Parameter, ...]
    body: Compound | None = None
    specifiers: frozenset[str] = frozenset()
    template: tuple[TemplateParameter, ...] | None = None
    specialized: tuple[TemplateArgument, ...] | None = None
    launch_bounds: tuple[Expression, ...] = ()
    owner: Name | None = None
    initializers: tuple[MemberInitializer, ...] = ()
    const: bool = False
    defaulted: bool = False
    deleted: bool = False
    scope: tuple[str, ...] = ()
    refusal: Refused | None = None


@frozen
class Struct(Node):
    """A struct, a class or a union, by `keyword`; members are in order. The name may be "".

    Attributes:
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
    members: tuple[Variable, ...]
    constants: tuple[Variable, ...] = ()
    functions: tuple[Function, ...] = ()
    types: tuple[TypeDeclaration, ...] = ()
    alignment: Expression | None = None
    template: tuple[TemplateParameter, ...] | None = None
    specialized: tuple[TemplateArgument, ...] | None = None
    scope: tuple[str, ...] = ()
    private: frozenset[str] = frozenset()


TypeDeclaration: TypeAlias = Alias | Enum | Struct | StaticAssert | Using
Statement: TypeAlias = (
    DeclarationStatement | Bindings | ExpressionStatement | Compound | Empty | If | For | RangeFor
    | While | DoWhile
    | Switch | Break | Continue | Return | Asm | TypeDeclaration
)  # fmt: skip
Declaration: TypeAlias = Function | Variable | TypeDeclaration


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
        return tuple(f for f in self._functions if "__global__" not in f.specifiers)

    @property
    def kernels(self) -> tuple[Function, ...]:
        """Kernels that have a body, or whose body is refused."""
        return tuple(
            function
            for function in self._functions
            if "__global__" in function.specifiers and (function.body or function.refusal)
        )

    @property
    def _functions(self) -> Iterator[Function]:
        return (each for each in self.declarations if isinstance(each, Function))

    @property
    def structs(self) -> tuple[Struct, ...]:
        """Structs, without those within another."""
        return tuple(each for each in self.declarations if isinstance(each, Struct))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Global variables and constants."""
        return tuple(each for each in self.declarations if isinstance(each, Variable))


_PLAIN = frozenset(("Place", "str", "bool", "int", "float", "frozenset[str]", "tuple[str, ...]"))
"""Types of fields that hold no node."""
_ONE = frozenset(("Condition", "Expression", "Name", "NamePart", "Statement", "Type"))
"""Types of fields that always hold one."""
_SEVERAL = re.compile(r"tuple\[\w+, \.\.\.\]( \| None)?")
"""Types of fields that hold nothing else."""


def children(node: Node) -> Sequence[Node]:
    """Return the nodes directly below `node`, in the order of its fields."""
    return _CHILDREN[type(node)](node)


def statements_in(node: Node) -> list[Node]:
    """Return the statements directly below a statement, and the sections of a `switch`."""
    if type(node) not in _HOLD_STATEMENTS:
        return []
    return [each for each in children(node) if type(each) in _STATEMENTS]


def walk(*roots: Node, parts: Callable[[Node], Sequence[Node]] = children) -> list[Node]:
    """Return nodes with all that is below them, each before what is below it.

    Args:
        roots: where to begin.
        parts: what is directly below a node; `statements_in` leaves expressions and types out.
    """
    found, waiting = list[Node](), list(reversed(roots))
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += reversed(parts(node))
    return found


_STATEMENTS = frozenset((*get_args(Statement), Section))
_HOLD_STATEMENTS = frozenset((Compound, If, For, RangeFor, While, DoWhile, Switch, Section))


class _Children(dict[type[Node], Callable[[Any], Sequence[Node]]]):
    """By kind, what returns the nodes below one; `dataclasses` is asked once."""

    def __missing__(self, kind: type[Node]) -> Callable[[Any], Sequence[Node]]:
        found = {each.name: str(each.type) for each in fields(kind) if each.type not in _PLAIN}
        match tuple(found):
            case ():
                self[kind] = lambda _node: ()
            case (name,) if _SEVERAL.fullmatch(found[name]):
                self[kind] = lambda node: getattr(node, name) or ()
            case (_, _, *_) as names if _ONE.issuperset(found.values()):
                self[kind] = attrgetter(*names)
            case (name,):
                self[kind] = lambda node: _nodes_in((getattr(node, name),))
            case names:
                get = attrgetter(*names)
                self[kind] = lambda node: _nodes_in(get(node))
        return self[kind]


_CHILDREN = _Children()


def _nodes_in(values: Iterable[Any]) -> list[Node]:
    """Return the nodes among the values of fields, and in tuples."""
    found: list[Node] = []
    for value in values:
        if isinstance(value, tuple):
            found += [item for item in value if isinstance(item, Node)]
        elif isinstance(value, Node):
            found.append(value)
    return found


def is_const(node: Type) -> bool:
    """Return True for a type whose values cannot be changed; an array is what its elements are."""
    match node:
        case NamedType() | DecltypeType() | PointerType():
            return node.const
        case ArrayType(_, element):
            return is_const(element)
    return False


def forget_targets(node: Type) -> Type:
    """Return a type of the same size that names nothing a pointer in it points to."""
    match node:
        case PointerType(place, target):
            nothing = NamedType(target.place, Name(target.place, (NamePart(target.place, "void"),)))
            return PointerType(place, nothing)
        case ArrayType(place, element, size):
            return ArrayType(place, forget_targets(element), size)
    return node


def type_name(node: Type | None) -> str | None:
    """Return the name of a type as it is written; None for any that has none, as pointers."""
    return node.name.spelled if isinstance(node, NamedType) else None


def is_auto(node: Type) -> bool:
    """Return True for `auto`."""
    return type_name(node) == "auto"


def qualified_name(node: Function | Struct | Alias | Enum | Variable) -> str:
    """Return the name of a declaration with the namespaces around it."""
    return "::".join((*node.scope, node.name))
