"""Parses statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import TypeDeclaration
from grader.simt.cuda.literals import read_string
from grader.simt.cuda.names import ASM, STRUCTS
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.declarators import DeclaratorParser
from grader.simt.cuda.parser.expressions import ExpressionParser
from grader.simt.cuda.parser.scopes import ParserScopes
from grader.simt.cuda.parser.types import TypeParser
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.cuda.syntax import (
    Asm,
    AsmOperand,
    Bindings,
    Compound,
    Condition,
    DeclarationStatement,
    DoWhile,
    Empty,
    Expression,
    ExpressionStatement,
    For,
    IntegerLiteral,
    RangeFor,
    Section,
    Type,
    Unroll,
    While,
)
from grader.simt.cuda.tokens import Token
from grader.simt.cuda.trees import is_auto

_TYPES = frozenset({"using", "typedef", "static_assert", "namespace"})
"""Words that begin a declaration which is no variable's."""
_DEFINED = STRUCTS | {"enum"}


_ELEMENT = "element:"
"""A name that no source has."""


def _element(place: Place) -> syntax.Name:
    return syntax.Name(place, (syntax.NamePart(place, _ELEMENT),))


class StatementParser:
    """Parses the statements of functions."""

    type_declaration: Callable[[], tuple[TypeDeclaration, ...]]
    """Parses a declaration that is no variable's (`using`, `struct …;`); set by the owner."""

    def __init__(
        self,
        cursor: Cursor,
        scopes: ParserScopes,
        types: TypeParser,
        expressions: ExpressionParser,
        declarators: DeclaratorParser,
    ) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        self._expressions = expressions
        self._declarators = declarators

    def compound(self) -> Compound:
        """Parse `{…}`, in a scope of its own."""
        cursor = self._cursor
        place = cursor.expect("{").place
        found = list[declared.Statement]()
        with cursor.nested(), self._scopes.inside():
            while cursor.text != "}":
                if cursor.at_end:
                    raise ill_formed(fact("syntax.never-closed", bracket="{"), place)
                found.extend(self._statements())
        end = cursor.expect("}").place
        return Compound(place, tuple(found), end)

    def _statements(self) -> tuple[declared.Statement, ...]:
        """Parse a statement; a declaration of types may be several."""
        text = self._cursor.text
        if text in _TYPES or (text in _DEFINED and self._defines_type()):
            return self.type_declaration()
        found = self.statement()
        return (*self._types.take_pending(), found)

    def _defines_type(self) -> bool:
        """Return True if a struct or enum is defined here and no variable with it."""
        cursor = self._cursor
        start = cursor.position
        while not cursor.at_end and cursor.text not in ("{", ";", "(", "=", "*", "&"):
            cursor.next()
        defines = cursor.text == "{"
        if defines:
            cursor.skip_balanced()
            defines = cursor.text == ";"
        cursor.position = start
        return defines

    def statement(self) -> declared.Statement:
        """Parse a statement.

        Raises:
            IllFormed: it is not one.
            Refused: it has what is not emulated.
        """
        cursor = self._cursor
        if cursor.token.kind == "pragma":
            return self._unrolled()
        with cursor.nested():
            parse = self._by_word.get(cursor.text)
            if parse and cursor.token.kind in ("name", "operator"):
                return parse(self, cursor.place)
            if cursor.is_name() and cursor.peek(1).text == ":":
                raise not_emulated(fact("cpp.no-goto"), cursor.place)
            if cursor.text == "[" and cursor.peek(1).text == "[":
                cursor.skip_balanced()
                return self.statement()
            if cursor.text in _TYPES:
                place, types = cursor.place, self.type_declaration()
                return types[0] if len(types) == 1 else Compound(place, types, place)
            found = self._simple()
            cursor.expect(";")
            return found

    def _simple(self) -> declared.Statement:
        """Parse a declaration or an expression, without the `;`."""
        cursor, place = self._cursor, self._cursor.place
        if cursor.text == ";":
            return Empty(place)
        if self._declarators.starts_declaration():
            return self._declaration()
        expression = self._expressions.expression()
        if cursor.is_name() and isinstance(expression, syntax.Name):  # `Unknown x`
            cursor.position -= 1
            raise self._types.unknown_type()
        return ExpressionStatement(place, expression)

    def _declaration(self) -> declared.Statement:
        cursor, place = self._cursor, self._cursor.place
        specifiers = self._types.specifiers()
        if specifiers.type is not None and cursor.text == ";":
            return Empty(place)
        if specifiers.type is None:
            raise self._types.unknown_type()
        if (bindings := self._bindings(place, specifiers.type)) is not None:
            return bindings
        declarator = self._declarators.declarator(specifiers.type)
        if cursor.text == "(" and declarator.name and self._is_function():
            raise not_emulated(fact("cpp.no-local-functions"), declarator.place)
        return DeclarationStatement(
            place, self._declarators.variables(specifiers, first=declarator)
        )

    def _bindings(self, place: Place, base: Type) -> Bindings | None:
        """Parse `[a, b] = value` behind `auto`; None if something else is here."""
        cursor, ahead = self._cursor, int(self._cursor.text in ("&", "&&"))
        if not is_auto(base) or cursor.peek(ahead).text != "[":
            return None
        kind = self._types.pointers(base)
        cursor.expect("[")
        names = list[str]()
        while cursor.text != "]":
            names.append(cursor.name().text)
            if not cursor.take(","):
                break
        cursor.expect("]")
        initializer = self._declarators.initializer()
        if cursor.text == ":" and initializer is None:  # of `for (auto [a, b] : range)`
            initializer = syntax.Initializer(place, "=", (_element(place),))
        if initializer is None or len(initializer.values) != 1:
            raise cursor.unexpected("=")
        for name in names:
            self._scopes.declare(name, "variable")
        return Bindings(place, tuple(names), kind, initializer)

    def _is_function(self) -> bool:
        """Return True if parentheses behind a name declare a function: `T x()`, `T x(int y)`."""
        cursor = self._cursor
        if cursor.peek(1).text == ")":
            return True
        if not self._types.names.starts_type(1):
            return False
        start = cursor.position
        cursor.next()
        self._types.specifiers()
        follows = cursor.text
        cursor.position = start
        return follows not in ("(", "{", "::")

    # Conditions

    def _condition(self) -> Condition:
        if not self._declarators.starts_declaration():
            return self._expressions.expression()
        place = self._cursor.place
        found = self._declarators.variables(self._types.specifiers())
        if len(found) != 1 or found[0].initializer is None:
            raise self._cursor.unexpected("=")
        return DeclarationStatement(place, found)

    def _test(self) -> tuple[declared.Statement | None, Condition]:
        """Parse `(initializer; condition)` of an `if` or a `switch`."""
        cursor = self._cursor
        cursor.expect("(")
        first = self._simple()
        initializer: declared.Statement | None = None
        if cursor.take(";"):
            initializer, condition = first, self._condition()
        elif isinstance(first, ExpressionStatement):
            condition = first.expression
        elif isinstance(first, DeclarationStatement) and first.variables[0].initializer:
            condition = first
        else:
            raise cursor.unexpected()
        cursor.expect(")")
        return initializer, condition

    def _body(self) -> declared.Statement:
        """Parse a loop's body or a branch, in a scope of its own."""
        with self._scopes.inside():
            return self.statement()

    # Statements by their first word

    def _block(self, place: Place) -> declared.Statement:
        return self.compound()

    def _empty(self, place: Place) -> declared.Statement:
        self._cursor.expect(";")
        return Empty(place)

    def _if(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        constexpr = cursor.take("constexpr") is not None
        with self._scopes.inside():
            initializer, condition = self._test()
            then = self._body()
            otherwise = self._body() if cursor.take("else") else None
        return syntax.If(place, condition, then, otherwise, constexpr, initializer)

    def _for(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        cursor.expect("(")
        with self._scopes.inside():
            initializer = self._simple()
            if cursor.text == ":":
                return self._range_for(place, initializer)
            cursor.expect(";")
            condition = None if cursor.text == ";" else self._condition()
            cursor.expect(";")
            step = None if cursor.text == ")" else self._expressions.expression()
            cursor.expect(")")
            return For(place, initializer, condition, step, self._body())

    def _range_for(self, place: Place, first: declared.Statement) -> declared.Statement:
        cursor, bound = self._cursor, isinstance(first, Bindings)
        if isinstance(first, Bindings):
            element = syntax.Variable(place, _ELEMENT, first.type)
        elif isinstance(first, DeclarationStatement) and not first.variables[0].initializer:
            element = first.variables[0]
        else:
            raise not_emulated(fact("cpp.no-range-for"), cursor.place)
        cursor.expect(":")
        over: syntax.Expression = (
            self._expressions.brace_list() if cursor.text == "{" else self._expressions.expression()
        )
        cursor.expect(")")
        body = self._body()
        if bound:
            body = syntax.Compound(place, (first, body), place)
        return RangeFor(place, element, over, body)

    def _while(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        cursor.expect("(")
        with self._scopes.inside():
            condition = self._condition()
            cursor.expect(")")
            return While(place, condition, self._body())

    def _do(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        body = self._body()
        cursor.expect("while")
        cursor.expect("(")
        condition = self._expressions.expression()
        cursor.expect(")")
        cursor.expect(";")
        return DoWhile(place, body, condition)

    def _switch(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        with self._scopes.inside():
            initializer, value = self._test()
            cursor.expect("{")
            sections = list[Section]()
            with self._scopes.inside():
                while cursor.text != "}":
                    sections.append(self._section())
            cursor.expect("}")
        return syntax.Switch(place, value, tuple(sections), initializer)

    def _section(self) -> Section:
        cursor, place = self._cursor, self._cursor.place
        labels, found = list[Expression | None](), list[declared.Statement]()
        while cursor.text in ("case", "default"):
            if cursor.next().text == "default":
                labels.append(None)
            else:
                labels.append(self._types.names.constant(in_angles=False))
            if cursor.text == "...":
                raise not_emulated(fact("cpp.no-case-ranges"), cursor.place)
            cursor.expect(":")
        if not labels:
            raise not_emulated(fact("cpp.no-statement-before-case"), place)
        while cursor.text not in ("case", "default", "}"):
            if cursor.at_end:
                raise cursor.unexpected()
            found.extend(self._statements())
        return Section(place, tuple(labels), tuple(found))

    def _case(self, place: Place) -> declared.Statement:
        raise not_emulated(fact("cpp.no-nested-case"), place)

    def _break(self, place: Place) -> declared.Statement:
        self._cursor.next()
        self._cursor.expect(";")
        return syntax.Break(place)

    def _continue(self, place: Place) -> declared.Statement:
        self._cursor.next()
        self._cursor.expect(";")
        return syntax.Continue(place)

    def _return(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        value = None
        if cursor.text == "{":
            value = self._expressions.initial_value()
        elif cursor.text != ";":
            value = self._expressions.expression()
        cursor.expect(";")
        return syntax.Return(place, value)

    def _asm(self, place: Place) -> declared.Statement:
        cursor = self._cursor
        cursor.next()
        while cursor.take("volatile", "__volatile__", "inline"):
            pass
        cursor.expect("(")
        with cursor.nested(in_angles=False):
            text = self._text()
            operands = list[tuple[AsmOperand, ...]]()
            while colons := cursor.take(":", "::"):
                operands += [()] * (len(colons.text) - 1)
                operands.append(self._asm_operands() if len(operands) < 2 else self._clobbers())
        cursor.expect(")")
        cursor.expect(";")
        outputs, inputs, *_ = (*operands, (), ())
        return Asm(place, text, outputs, inputs)

    def _text(self) -> str:
        cursor, strings = self._cursor, list[Token]()
        while cursor.token.kind == "string":
            strings.append(cursor.next())
        if not strings:
            raise cursor.unexpected()
        return read_string(strings).value.decode("utf-8", "replace")

    def _asm_operands(self) -> tuple[AsmOperand, ...]:
        cursor, found = self._cursor, list[AsmOperand]()
        while cursor.token.kind == "string":
            place, constraint = cursor.place, self._text()
            cursor.expect("(")
            with cursor.nested(in_angles=False):
                expression = self._expressions.expression()
            cursor.expect(")")
            found.append(AsmOperand(place, constraint, expression))
            cursor.take(",")
        return tuple(found)

    def _clobbers(self) -> tuple[AsmOperand, ...]:
        while self._cursor.token.kind == "string":
            self._cursor.next()
            self._cursor.take(",")
        return ()

    def _unrolled(self) -> declared.Statement:
        """Parse a statement behind `#pragma unroll`, which counts for a loop alone."""
        cursor = self._cursor
        token = cursor.next()
        count = None if cursor.token.kind == "pragma" else self._expressions.expression()
        if cursor.token.kind != "pragma":
            raise cursor.unexpected()
        cursor.next()
        if token.text == "nounroll":
            count = IntegerLiteral(token.place, 1, "int")
        found = self.statement()
        if not isinstance(found, For | RangeFor | While | DoWhile):
            return found
        return replace(found, unroll=Unroll(token.place, count))

    _by_word: ClassVar[Mapping[str, Callable[[StatementParser, Place], declared.Statement]]] = {
        "{": _block,
        ";": _empty,
        "if": _if,
        "for": _for,
        "while": _while,
        "do": _do,
        "switch": _switch,
        "case": _case,
        "default": _case,
        "break": _break,
        "continue": _continue,
        "return": _return,
        **dict.fromkeys(ASM, _asm),
    }
    """What parses the statements that a word begins."""
