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

from typing import TYPE_CHECKING, Literal, TypeAlias

from grader.frozen import frozen
from grader.simt.cuda.places import Place

if TYPE_CHECKING:
    from grader.simt.cuda import declared
    from grader.simt.cuda.declared import TemplateParameter

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
    parameters: tuple[Type | Expansion, ...]


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
class Expansion(Node):
    """`pattern...`: the pattern once for each element of the packs that it names."""

    pattern: TemplateArgument


@frozen
class Fold(Node):
    """`(left operator ...)`, `(... operator right)`, or both; one of the two names packs."""

    operator: str
    left: Expression | None
    right: Expression | None


@frozen
class PackSize(Node):
    """`sizeof...(name)`."""

    name: str


@frozen
class BraceList(Node):
    """`{values}`, as an initializer, an argument or a result."""

    values: tuple[Expression, ...]


@frozen
class Capture(Node):
    """What a lambda keeps of what is around it: `name`, `&name`, `name = initializer`.

    The name is "this" for `this`, which is captured by reference, and for `*this`; of a `pack`
    each element is kept.
    """

    name: str
    reference: bool = False
    initializer: Expression | None = None
    pack: bool = False


@frozen
class Lambda(Node):
    """`[captures](parameters) { … }`; `default` is "=", "&" or "".

    `function` is its `operator()`; it is a template if a parameter is `auto`.
    """

    default: str
    captures: tuple[Capture, ...]
    function: declared.Function


@frozen
class Designated(Node):
    """`.name = value` in a list."""

    name: str
    value: Expression


Expression: TypeAlias = (
    IntegerLiteral | FloatLiteral | CharacterLiteral | StringLiteral | BoolLiteral | NullPointer
    | This | Name | Unary | Postfix | Binary | Assignment | Conditional | Comma | Cast
    | Construction | Member | Index | Call | SizeOf | BraceList | Lambda
    | Designated | Expansion | Fold | PackSize
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

    statements: tuple[declared.Statement, ...]
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
    then: declared.Statement
    otherwise: declared.Statement | None = None
    constexpr: bool = False
    initializer: declared.Statement | None = None


@frozen
class Unroll(Node):
    """`#pragma unroll count` before a loop; without a count the whole loop, with 1 not at all."""

    count: Expression | None


@frozen
class For(Node):
    """`for (initializer; condition; step) body`; the initializer may be `Empty`."""

    initializer: declared.Statement
    condition: Condition | None
    step: Expression | None
    body: declared.Statement
    unroll: Unroll | None = None


@frozen
class RangeFor(Node):
    """`for (variable : range) body`; the variable has no initializer."""

    variable: Variable
    range: Expression
    body: declared.Statement
    unroll: Unroll | None = None


@frozen
class While(Node):
    """`while (condition) body`."""

    condition: Condition
    body: declared.Statement
    unroll: Unroll | None = None


@frozen
class DoWhile(Node):
    """`do body while (condition);`."""

    body: declared.Statement
    condition: Expression
    unroll: Unroll | None = None


@frozen
class Section(Node):
    """Statements of a `switch` behind adjacent labels; the label None is `default`.

    Without a `break` the next section follows.
    """

    labels: tuple[Expression | None, ...]
    statements: tuple[declared.Statement, ...]


@frozen
class Switch(Node):
    """`switch (initializer; value) {sections}`."""

    value: Condition
    sections: tuple[Section, ...]
    initializer: declared.Statement | None = None


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
