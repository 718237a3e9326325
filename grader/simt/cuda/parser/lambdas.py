"""Parses lambdas: what they capture, their parameters, their body."""

from __future__ import annotations

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.declarators import DeclaratorParser
from grader.simt.cuda.parser.invented import invent_types
from grader.simt.cuda.parser.scopes import ParserScopes
from grader.simt.cuda.parser.statements import StatementParser
from grader.simt.cuda.parser.types import TypeParser
from grader.simt.cuda.places import Place, not_emulated
from grader.simt.cuda.syntax import Capture, Lambda, NamedType, NamePart, Type

CALL = "operator()"
_DROPPED = ("__device__", "__host__", "__forceinline__", "__noinline__", "constexpr", "noexcept")


class LambdaParser:
    """Parses what begins with `[` where a value is expected."""

    def __init__(
        self,
        cursor: Cursor,
        scopes: ParserScopes,
        types: TypeParser,
        declarators: DeclaratorParser,
        statements: StatementParser,
    ) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        self._declarators = declarators
        self._statements = statements

    def parse(self) -> Lambda:
        """Parse a lambda.

        Raises:
            Refused: it is none, or has what is not emulated.
        """
        cursor, place = self._cursor, self._cursor.place
        with cursor.nested(in_angles=False), self._scopes.inside():
            default, captures = self._captures()
            if cursor.text == "<":
                raise not_emulated(fact("cpp.no-lambda-templates"), cursor.place)
            parameters = tuple[declared.Parameter, ...]()
            if cursor.text == "(":
                parameters = self._declarators.parameters()
            const, result = self._behind(place)
            template, parameters = invent_types(parameters)
            pending = self._types.take_pending()  # of the declaration that the lambda is in
            body = self._statements.compound()
            for each in pending:
                self._types.add_pending(each)
        function = declared.Function(
            place,
            CALL,
            result,
            parameters,
            body,
            frozenset({"__device__"}),
            template or None,
            const=const,
        )
        return Lambda(place, default, captures, function)

    def _captures(self) -> tuple[str, tuple[Capture, ...]]:
        cursor, found, default = self._cursor, list[Capture](), ""
        cursor.expect("[")
        if cursor.text in ("=", "&") and cursor.peek(1).text in (",", "]"):
            default = cursor.next().text
            cursor.take(",")
        while cursor.text != "]":
            found.append(self._capture())
            if not cursor.take(","):
                break
        cursor.expect("]")
        return default, tuple(found)

    def _capture(self) -> Capture:
        cursor, place = self._cursor, self._cursor.place
        if cursor.text == "this" or (cursor.text == "*" and cursor.peek(1).text == "this"):
            reference = cursor.take("*") is None
            cursor.next()
            return Capture(place, "this", reference)
        reference = cursor.take("&") is not None
        pack = cursor.take("...") is not None
        token = cursor.name()
        pack = cursor.take("...") is not None or pack
        initializer = None
        if cursor.text in ("=", "{", "("):
            given = self._declarators.initializer()
            assert given is not None  # one of these begins it
            if len(given.values) != 1:
                raise cursor.unexpected()
            (initializer,) = given.values
            self._scopes.declare(token.text, "variable")
        return Capture(token.place, token.text, reference, initializer, pack)

    def _behind(self, place: Place) -> tuple[bool, Type]:
        """Parse what is between parameters and body: whether it is const, and the result."""
        cursor, const = self._cursor, True
        result: Type = NamedType(place, syntax.Name(place, (NamePart(place, "auto"),)))
        while cursor.text != "{":
            if cursor.take("mutable"):
                const = False
            elif cursor.take("->"):
                result = self._types.type()
            elif cursor.text == "[" and cursor.peek(1).text == "[":
                cursor.skip_balanced()
            elif cursor.take(*_DROPPED):
                if cursor.peek(-1).text == "noexcept" and cursor.text == "(":
                    cursor.skip_balanced()
            elif cursor.text == "__attribute__":
                self._types.specifiers()
            else:
                raise cursor.unexpected("{")
        return const, result
