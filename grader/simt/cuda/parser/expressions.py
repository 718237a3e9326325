"""Parses expressions, by precedence. Where C++ asks whether a name is a type, `types` answers."""

from __future__ import annotations

from collections.abc import Callable

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.literals import read_character, read_number, read_string
from grader.simt.cuda.names import ARITHMETIC_WORDS, words
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.scopes import ParserScopes
from grader.simt.cuda.parser.types import TypeParser
from grader.simt.cuda.places import not_emulated
from grader.simt.cuda.syntax import (
    Assignment,
    Binary,
    BoolLiteral,
    BraceList,
    Cast,
    Comma,
    Conditional,
    Construction,
    Designated,
    Expression,
    NamePart,
    NullPointer,
    Postfix,
    SizeOf,
    This,
    Type,
    Unary,
)
from grader.simt.cuda.tokens import Token

_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"),
    ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_PRECEDENCE = {name: level for level, row in enumerate(_LEVELS, 1) for name in row}
_ASSIGNMENTS = words("= += -= *= /= %= &= |= ^= <<= >>=")
_UNARY = words("+ - ! ~ * & ++ --")
_POSTFIX = words("[ ( ++ -- . -> <<< .* ->*")
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_CONSTANTS = {"true": True, "false": False}
_SIZES = words("sizeof alignof __alignof __alignof__")


class ExpressionParser:
    """Parses expressions at the cursor."""

    parse_lambda: Callable[[], Expression]
    """Parses `[…](…) {…}`; set by the owner, since statements are in it."""

    def __init__(self, cursor: Cursor, scopes: ParserScopes, types: TypeParser) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        types.names.constant = self._constant

    def expression(self) -> Expression:
        """Parse an expression, which may have commas.

        Raises:
            IllFormed: it is not one.
            Refused: it has what is not emulated.
        """
        left, links = self.assignment(), 0
        while self._cursor.text == "," and self._cursor.peek(1).text != "...":
            links += 1
            self._cursor.check_chain(links)
            place = self._cursor.next().place
            left = Comma(place, left, self.assignment())
        return left

    def assignment(self) -> Expression:
        """Parse an expression without a comma."""
        cursor = self._cursor
        cursor.deepen()
        left = self._conditional()
        if cursor.text in _ASSIGNMENTS and cursor.peek(1).text != "...":
            token = cursor.next()
            value = self.initial_value()
            left = Assignment(token.place, token.text, left, value)
        cursor.depth -= 1
        return left

    def initial_value(self) -> Expression:
        """Parse what may stand behind `=`: an expression without a comma, or `{…}`."""
        return self.brace_list() if self._cursor.text == "{" else self.assignment()

    def brace_list(self) -> BraceList:
        """Parse `{…}`."""
        place = self._cursor.place
        return BraceList(place, self.arguments("{", "}"))

    def arguments(self, opening: str, closing: str) -> tuple[Expression, ...]:
        """Parse values in brackets, separated by commas."""
        cursor, found = self._cursor, list[Expression]()
        cursor.expect(opening)
        with cursor.nested(in_angles=False):
            while cursor.text != closing:
                place = cursor.place
                is_named = cursor.text == "." and opening == "{"
                value = self._designated() if is_named else self.initial_value()
                found.append(syntax.Expansion(place, value) if cursor.take("...") else value)
                if not cursor.take(","):
                    break
                if cursor.text == closing and closing == ")":
                    raise cursor.unexpected()
        cursor.expect(closing)
        return tuple(found)

    def _designated(self) -> Expression:
        """Parse `.name = value`, or `.name{…}`.

        Raises:
            Refused: it names a member of a member.
        """
        cursor = self._cursor
        place = cursor.expect(".").place
        name = cursor.name().text
        if cursor.text in (".", "["):
            raise not_emulated(fact("cpp.no-designators"), cursor.place)
        if cursor.text != "{":
            cursor.expect("=")
        return Designated(place, name, self.initial_value())

    def _constant(self, *, in_angles: bool) -> Expression:
        with self._cursor.nested(in_angles=in_angles):
            return self._conditional()

    def _conditional(self) -> Expression:
        cursor = self._cursor
        test = self._binary(1)
        if cursor.text != "?":
            return test
        place = cursor.next().place
        with cursor.nested(in_angles=False):
            yes = self.expression()
        cursor.expect(":")
        return Conditional(place, test, yes, self.assignment())

    def _binary(self, level: int) -> Expression:
        cursor = self._cursor
        left, links = self._unary(), 0
        while (found := _PRECEDENCE.get(cursor.text, 0)) >= level:
            if cursor.in_angles and cursor.text in (">", ">>"):
                break
            if cursor.peek(1).text == "...":  # of a fold
                break
            links += 1
            cursor.check_chain(links)
            token = cursor.next()
            cursor.deepen()
            left = Binary(token.place, token.text, left, self._binary(found + 1))
            cursor.depth -= 1
        return left

    def _unary(self) -> Expression:
        cursor = self._cursor
        token = cursor.token
        if token.kind == "operator":
            if token.text in _UNARY:
                cursor.next()
                with cursor.nested():
                    return Unary(token.place, token.text, self._unary())
            if token.text == "(" and (cast := self._c_cast()):
                return cast
        elif token.text in _SIZES:
            return self._size_of()
        return self._postfix(self._primary())

    def _size_of(self) -> Expression:
        cursor = self._cursor
        token = cursor.next()
        alignment = token.text != "sizeof"
        if cursor.take("..."):
            cursor.expect("(")
            name = cursor.name().text
            cursor.expect(")")
            return syntax.PackSize(token.place, name)
        if cursor.text == "(" and (of := self._type_in_parentheses()):
            return SizeOf(token.place, of, alignment)
        with cursor.nested():
            return SizeOf(token.place, self._unary(), alignment)

    def _type_in_parentheses(self) -> Type | None:
        """Take `(type)`; None, and nothing taken, if that is not here."""
        cursor, start = self._cursor, self._cursor.position
        if not self._types.names.starts_type(1):
            return None
        cursor.next()
        with cursor.nested():
            found = self._types.type()
        if cursor.take(")"):
            return found
        cursor.position = start
        return None

    def _c_cast(self) -> Expression | None:
        place = self._cursor.place
        to = self._type_in_parentheses()
        if to is None:
            return None
        with self._cursor.nested():
            if self._cursor.text == "{":
                return self._postfix(Construction(place, to, self.arguments("{", "}"), braces=True))
            return Cast(place, "C", to, self._unary())

    def _postfix(self, left: Expression) -> Expression:
        cursor, links = self._cursor, 0
        while (token := cursor.token).text in _POSTFIX and token.kind == "operator":
            links += 1
            cursor.check_chain(links)
            match token.text:
                case "[":
                    left = syntax.Index(token.place, left, self._index())
                case "(":
                    left = syntax.Call(left.place, left, self.arguments("(", ")"))
                case "++" | "--":
                    cursor.next()
                    left = Postfix(token.place, token.text, left)
                case "." | "->":
                    cursor.next()
                    left = self._member(left, arrow=token.text == "->")
                case "<<<":
                    raise not_emulated(fact("cpp.no-launches"), token.place)
                case ".*" | "->*":
                    raise not_emulated(fact("cpp.no-member-pointers"), token.place)
        return left

    def _index(self) -> Expression:
        cursor = self._cursor
        cursor.expect("[")
        with cursor.nested(in_angles=False):
            found = self.brace_list() if cursor.text == "{" else self.expression()
        cursor.expect("]")
        return found

    def _member(self, left: Expression, *, arrow: bool) -> Expression:
        """Parse the name of a member, which may have its struct's in front."""
        cursor, place = self._cursor, self._cursor.place
        entry = self._scopes.find(cursor.text) if self._types.names.is_qualified() else None
        if entry is None or not entry.is_type:
            name = self._member_name()
            return syntax.Member(name.place, left, name, arrow)
        full, _ = self._types.names.name()
        of = syntax.NamedType(place, syntax.Name(place, full.parts[:-1], full.rooted))
        owner = Unary(place, "*", left) if arrow else left
        cast = Cast(place, "C", syntax.ReferenceType(place, of), owner)
        return syntax.Member(full.parts[-1].place, cast, full.parts[-1])

    def _member_name(self) -> NamePart:
        cursor = self._cursor
        template = cursor.take("template") is not None
        if cursor.text == "operator":
            return self._types.names.operator_name()
        if cursor.text == "~":
            raise not_emulated(fact("cpp.no-destructor-calls"), cursor.place)
        token = cursor.name()
        if cursor.text == "<" and (template or self._calls_template(token.text)):
            return NamePart(token.place, token.text, self._types.names.template_arguments())
        return NamePart(token.place, token.text)

    def _calls_template(self, name: str) -> bool:
        """Return True if some struct has a template of a name, and it would be called here."""
        if not self._scopes.is_member_template(name):
            return False
        cursor, start = self._cursor, self._cursor.position
        called = cursor.skip_angles() and cursor.text == "("
        cursor.position = start
        return called

    def _primary(self) -> Expression:
        cursor = self._cursor
        token = cursor.token
        if token.kind == "number":
            return read_number(cursor.next())
        if token.kind == "name":
            return self._word(token)
        if token.kind == "character":
            return read_character(cursor.next())
        if token.kind == "string":
            strings = [cursor.next()]
            while cursor.token.kind == "string":
                strings.append(cursor.next())
            return read_string(strings)
        if token.text == "(":
            return self._parenthesis()
        if token.text == "[":
            return self.parse_lambda()
        return self._named()

    def _word(self, token: Token) -> Expression:
        cursor = self._cursor
        if (name := self._types.names.plain_name()) is not None:
            return name
        if token.text in _CONSTANTS:
            return BoolLiteral(cursor.next().place, _CONSTANTS[token.text])
        if token.text == "nullptr":
            return NullPointer(cursor.next().place)
        if token.text == "this":
            return This(cursor.next().place)
        if token.text in _CASTS:
            return self._named_cast()
        return self._named()

    def _named(self) -> Expression:
        """Parse what begins with a type or a name, of which either may begin with `::`."""
        cursor = self._cursor
        if self._types.names.starts_type():
            return self._construction()
        if cursor.text == "::" or cursor.is_name():
            return self._types.names.name()[0]
        if cursor.text == "operator":  # `operator==(other)`: a call by its name
            part = self._types.names.operator_name()
            return syntax.Name(part.place, (part,))
        cursor.check_word()
        raise cursor.unexpected()

    def _parenthesis(self) -> Expression:
        cursor = self._cursor
        cursor.expect("(")
        if cursor.text == "{":
            raise not_emulated(fact("cpp.no-statement-expressions"), cursor.place)
        with cursor.nested(in_angles=False):
            found = None if cursor.text == "..." else self.expression()
            if found is None or (cursor.text != ")" and cursor.peek(1).text == "..."):
                found = self._fold(found)
        cursor.expect(")")
        return found

    def _fold(self, left: Expression | None) -> Expression:
        """Parse a fold from `...` on, or from the operator before it."""
        cursor = self._cursor
        token = None if left is None else self._folded()
        place = cursor.expect("...").place
        if token is None or cursor.text != ")":
            again = self._folded()
            if token is not None and token.text != again.text:
                raise cursor.unexpected(token.text)
            return syntax.Fold(place, again.text, left, self._unary())
        return syntax.Fold(place, token.text, left, None)

    def _folded(self) -> Token:
        """Take an operator that a fold may have."""
        cursor = self._cursor
        if cursor.text not in _PRECEDENCE and cursor.text not in (",", *_ASSIGNMENTS):
            raise cursor.unexpected()
        return cursor.next()

    def _named_cast(self) -> Expression:
        cursor = self._cursor
        token = cursor.next()
        cursor.expect("<")
        with cursor.nested():
            to = self._types.type()
        cursor.close_angle()
        cursor.expect("(")
        with cursor.nested(in_angles=False):
            operand = self.expression()
        cursor.expect(")")
        return Cast(token.place, token.text, to, operand)  # type: ignore[arg-type]

    def _construction(self) -> Expression:
        """Parse `type(…)` or `type{…}`, or `decltype(name)::value`, which is a member of that."""
        cursor, place, start = self._cursor, self._cursor.place, self._cursor.position
        ahead = [cursor.peek(at).text for at in (1, 3, 4)]
        if cursor.text == "decltype" and ahead == ["(", ")", "::"] and cursor.is_name(2):
            cursor.position += 2
            named = self._types.names.name()[0]
            cursor.position += 2
            return syntax.Member(place, named, self._member_name())
        of = self._types.specifiers().type
        if of is None:
            raise self._types.unknown_type()
        if cursor.position > start + 1 and cursor.peek(-1).text in ARITHMETIC_WORDS:
            cursor.position -= 1  # of several words, as `unsigned int`, only a cast can be made
            raise cursor.unexpected("(")
        if cursor.text == "{":
            return Construction(place, of, self.arguments("{", "}"), braces=True)
        if cursor.text == "::" and cursor.peek(1).text == "*":  # `int (A::*f)()`
            raise not_emulated(fact("cpp.no-member-pointers"), cursor.place)
        if cursor.text != "(":
            raise cursor.unexpected("(")
        return Construction(place, of, self.arguments("(", ")"))
