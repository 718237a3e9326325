"""Parses declarators, initializers, variables and parameters."""

from __future__ import annotations

from typing import NamedTuple

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import TemplateParameter
from grader.simt.cuda.names import RESTRICT, STRUCTS, words
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.expressions import ExpressionParser
from grader.simt.cuda.parser.scopes import ParserScopes
from grader.simt.cuda.parser.types import POINTERS, Specifiers, TypeParser
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.cuda.syntax import Expression, FunctionType, Initializer, NamePart, Type


class Declarator(NamedTuple):
    """What a declarator declares; `name` is None if it has no name."""

    name: syntax.Name | None
    type: Type
    place: Place

    @property
    def identifier(self) -> str:
        """The last identifier of the name; "" if there is none."""
        return self.name.parts[-1].identifier if self.name else ""


class DeclaratorParser:
    """Parses what follows the specifiers of a declaration."""

    def __init__(
        self, cursor: Cursor, scopes: ParserScopes, types: TypeParser, expressions: ExpressionParser
    ) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        self._expressions = expressions
        types.declarator = self._abstract

    def _abstract(self, base: Type) -> Type:
        found = self.declarator(base, named=False)
        return found.type

    def declarator(self, base: Type, *, named: bool = True) -> Declarator:
        """Parse `*name[n]` and the like, around `base`; a function's parameters are left.

        Raises:
            Refused: a pointer to a function.
        """
        cursor = self._cursor
        if cursor.text in POINTERS:
            base = self._types.pointers(base)
        if cursor.text == "::" and cursor.peek(1).text == "*":
            raise not_emulated(fact("cpp.no-member-pointers"), cursor.place)
        if named and cursor.text == "[" and self._types.is_auto(base):  # not as a statement
            raise not_emulated(fact("cpp.no-structured-bindings"), cursor.place)
        if cursor.text == "(" and cursor.peek(1).text in POINTERS:
            if named or self._is_nested_abstract():
                return self._nested(base, named=named)
            return Declarator(None, base, cursor.place)  # `float(*p)` converts a value
        if named and (cursor.is_name() or cursor.text in ("operator", "::")):
            name = self._declared_name()
            return Declarator(name, self._arrays(base), name.parts[-1].place)
        if named and cursor.token.kind == "name" and cursor.text not in RESTRICT:
            cursor.name()
        place = cursor.place
        return Declarator(None, self._arrays(base), place)

    def _is_nested_abstract(self) -> bool:
        """Return True at `(*)` and `(*[2])`, which have no name."""
        ahead = 1
        while self._cursor.peek(ahead).text in ("*", "&", "&&", "const", "volatile", *RESTRICT):
            ahead += 1
        return self._cursor.peek(ahead).text in (")", "[")

    def _declared_name(self) -> syntax.Name:
        """Parse the name that is declared; template arguments of a specialization stay."""
        cursor = self._cursor
        if cursor.text in ("operator", "::") or self._types.names.is_qualified():
            name, _ = self._types.names.name()
            if cursor.text == "::":
                raise not_emulated(fact("cpp.no-member-pointers"), cursor.place)
            return name
        token = cursor.next()
        place = token.place
        return syntax.Name(place, (NamePart(place, token.text),))

    def _nested(self, base: Type, *, named: bool) -> Declarator:
        """Parse `(*name)[n]`, `(*name)(int)`: what is outside of the parentheses applies first."""
        cursor, start, place = self._cursor, self._cursor.position, self._cursor.place
        cursor.skip_balanced()
        if cursor.text == "(":
            with self._scopes.inside(function=True):
                taken = tuple(
                    syntax.Expansion(each.place, each.type) if each.pack else each.type
                    for each in self.parameters()
                )
            if cursor.take("noexcept") and cursor.text == "(":
                cursor.skip_balanced()
            base = FunctionType(place, base, taken)
        else:
            base = self._arrays(base)
        end, cursor.position = cursor.position, start
        cursor.expect("(")
        with cursor.nested():
            found = self.declarator(base, named=named)
        if cursor.text == "(":
            raise not_emulated(fact("cpp.no-function-pointers"), cursor.place)
        cursor.expect(")")
        cursor.position = end
        return found

    def _arrays(self, base: Type) -> Type:
        cursor, sizes = self._cursor, list[tuple[Place, Expression | None]]()
        while cursor.text == "[" and cursor.peek(1).text != "[":
            place = cursor.next().place
            with cursor.nested(in_angles=False):
                size = None if cursor.text == "]" else self._expressions.expression()
            sizes.append((place, size))
            cursor.check_chain(len(sizes))
            cursor.expect("]")
        for place, size in reversed(sizes):
            base = syntax.ArrayType(place, base, size)
        return base

    # Variables

    def variables(
        self, found: Specifiers, *, first: Declarator | None = None
    ) -> tuple[syntax.Variable, ...]:
        """Parse declarators with their initializers, up to what ends them (`;`, `)` or `:`).

        Args:
            first: the first declarator, if it is parsed.

        Raises:
            IllFormed: one has no name.
        """
        cursor, variables = self._cursor, list[syntax.Variable]()
        if found.type is None:
            raise self._types.unknown_type()
        while True:
            declarator, first = first or self.declarator(found.type), None
            variables.append(self._variable(found, declarator))
            if not cursor.take(","):
                return tuple(variables)

    def _variable(self, found: Specifiers, declarator: Declarator) -> syntax.Variable:
        cursor = self._cursor
        if declarator.name is None:
            raise cursor.expected_name()
        self._scopes.declare(declarator.identifier, "variable")
        alignment = found.alignment
        after = self._types.specifiers() if cursor.text in _BEHIND else None
        if after is not None:
            alignment = after.alignment or alignment
        return syntax.Variable(
            declarator.place,
            declarator.identifier,
            declarator.type,
            self.initializer(),
            frozenset(found.flags),
            alignment,
            self._scopes.path,
        )

    def initializer(self) -> Initializer | None:
        """Parse `= value`, `(values)` or `{values}`; None if nothing of these is here."""
        cursor, place = self._cursor, self._cursor.place
        if cursor.take("="):
            return Initializer(place, "=", (self._expressions.initial_value(),))
        if cursor.text == "{":
            return Initializer(place, "{}", self._expressions.arguments("{", "}"))
        if cursor.text == "(":
            return Initializer(place, "()", self._expressions.arguments("(", ")"))
        return None

    # Parameters

    def parameters(self) -> tuple[declared.Parameter, ...]:
        """Parse a function's parameters with their parentheses, and declare them.

        Raises:
            Refused: variable arguments.
        """
        cursor, found = self._cursor, list[declared.Parameter]()
        cursor.expect("(")
        if cursor.text == "void" and cursor.peek(1).text == ")":
            cursor.next()
        with cursor.nested(in_angles=False):
            while cursor.text != ")":
                if cursor.text == "...":
                    raise not_emulated(fact("cpp.no-variable-arguments"), cursor.place)
                found.append(self._parameter())
                if not cursor.take(","):
                    break
        cursor.expect(")")
        return tuple(found)

    def _parameter(self) -> declared.Parameter:
        cursor = self._cursor
        specifiers = self._types.specifiers()
        if specifiers.type is None:
            raise self._types.unknown_type()
        if specifiers.flags and any(flag.startswith("__") for flag in specifiers.flags):
            raise ill_formed(fact("cpp.parameter-space"), specifiers.place)
        declarator, pack = self._declarator_of_pack(specifiers.type)
        if cursor.text == "(":
            raise not_emulated(fact("cpp.no-function-pointers"), cursor.place)
        default = self._expressions.initial_value() if cursor.take("=") else None
        name = declarator.identifier
        if name:
            self._scopes.declare(name, "variable")
        return declared.Parameter(declarator.place, name, declarator.type, default, pack)

    def _declarator_of_pack(self, base: Type) -> tuple[Declarator, bool]:
        """Parse a declarator, which may be a pack's: `...` stands before its name."""
        found = self.declarator(base)
        if found.name is not None or not self._cursor.take("..."):
            return found, False
        return self.declarator(found.type), True

    def template_parameters(self) -> tuple[TemplateParameter, ...]:
        """Parse `<typename T, int n = 1>` and declare them.

        Raises:
            Refused: a concept.
        """
        cursor, found = self._cursor, list[TemplateParameter]()
        cursor.expect("<")
        with cursor.nested(in_angles=True):
            while cursor.text not in (">", ">>"):
                found.append(self._template_parameter())
                if not cursor.take(","):
                    break
        cursor.close_angle()
        cursor.check_word()
        return tuple(found)

    def _template_parameter(self) -> TemplateParameter:
        cursor, place = self._cursor, self._cursor.place
        template = cursor.take("template") is not None
        if template:
            with self._scopes.inside():
                self.template_parameters()
        named_type = cursor.text == "typename" and cursor.peek(2).text == "::"
        if cursor.text in ("typename", "class") and not named_type:
            cursor.next()
            pack = cursor.take("...") is not None
            token = cursor.name() if cursor.is_name() else None
            default = self._types.type() if cursor.take("=") else None
            if token:
                self._scopes.declare(token.text, "type template" if template else "type")
            name = token.text if token else ""
            return TemplateParameter(place, name, None, default, pack, template)
        specifiers = self._types.specifiers()
        if specifiers.type is None:
            raise self._types.unknown_type()
        declarator, pack = self._declarator_of_pack(specifiers.type)
        value = self._types.names.constant(in_angles=True) if cursor.take("=") else None
        if declarator.name:
            self._scopes.declare(declarator.identifier, "variable")
        name, kind = declarator.identifier, declarator.type
        return TemplateParameter(declarator.place, name, kind, value, pack)

    # Choices

    def starts_declaration(self) -> bool:
        """Return True if a statement that begins here declares variables.

        A type followed by `(` or `{` begins a value, as `float4(x)`, unless it is `(*name)`.
        """
        cursor, types = self._cursor, self._types
        if cursor.token.kind not in ("name", "operator"):
            return False
        if cursor.text in _DECLARE or cursor.text in STRUCTS:
            return True
        if not types.names.starts_type():
            return False
        if cursor.is_name(1) and cursor.text != "typename" and cursor.peek(1).text not in _BEHIND:
            return True  # `int x`, as most are
        start = cursor.position
        types.specifiers()
        follows, declares = cursor.text, cursor.text == "(" and self._declares_inside()
        cursor.position = start
        return declares or follows not in ("(", "{", "::")

    def _declares_inside(self) -> bool:
        """Return True at `(*name)[2]` and `(&name) = x`; at `(*p) > 2` a value is converted."""
        cursor, ahead = self._cursor, 1
        while cursor.peek(ahead).text in ("*", "&", "&&", "const", "volatile", *RESTRICT):
            ahead += 1
        if ahead == 1 or cursor.peek(ahead).kind != "name":
            return False
        if cursor.peek(ahead + 1).text == ",":  # of arguments
            return False
        cursor.skip_balanced()
        return cursor.text in ("[", "=", "(", ";", ",", "{")


_DECLARE = words(
    """__shared__ __constant__ __device__ __managed__ static extern constexpr alignas __align__
    __attribute__ register const volatile typedef inline enum"""
)
_BEHIND = frozenset({"__align__", "__attribute__", "alignas"})
