"""Reads C statements: a function, or its body alone. Owns their syntax; `c.bindings` the meaning.

A loop is refused, with what to write instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grader.facts import Fact, fact
from grader.layouts.c.bindings import Bindings
from grader.layouts.c.expressions import TYPE_WORDS, Parser, unavailable_type
from grader.layouts.c.macros import expand_macros
from grader.layouts.c.nodes import Binary, CProgram, IntegerLiteral, Name, Node, SourcePlace
from grader.layouts.c.tokens import Token
from grader.layouts.c.types import INT, CType
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import shorten, unavailable, write

_QUALIFIERS = frozenset(
    ("static", "inline", "constexpr", "const", "__device__", "__host__", "__forceinline__",
     "__inline__", "__noinline__", "__global__", "volatile", "register")
)  # fmt: skip
_LOOPS = frozenset(("for", "while", "do"))
_MEMORY = frozenset(("__shared__", "__constant__", "extern"))
_INDEX_ONLY = fact("layout.return-the-index")
_NO_ARRAYS = fact("layout.no-arrays")
_USE_IF = fact("layout.use-if")
_PLAIN_TYPE = fact("layout.plain-type")
_REFUSED = {
    "switch": _USE_IF,
    "goto": _USE_IF,
    "typedef": _PLAIN_TYPE,
    "using": _PLAIN_TYPE,
    "asm": fact("layout.write-c"),
}
_FUNCTIONS_ONLY = frozenset(("template", "struct", "class"))
"""What cannot be used either; a plain function must be written instead."""

_COMPOUND = {f"{operator}=" for operator in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")}
_ASSIGNS = frozenset(("=", "++", "--", *_COMPOUND))


def read_c(source: str, names: Collection[str], parameters: Sequence[str]) -> CProgram:
    """Read C: an expression, statements that return, or a function; `#define` before any of them.

    Args:
        source: text that is short and holds no NUL.
        names: names that will have a value, `parameters` among them.
        parameters: what a function takes, by place.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    found = expand_macros(source, comments=any(mark in source for mark in ";{#"))
    if any(token.text in (";", "{", "}") for token in found):
        return _Statements(found, names, parameters).program()
    return Parser(found, names).parse_program()


class _Statements:
    """Reads statement after statement, and tells the bindings what each one does."""

    def __init__(
        self, found: Sequence[Token], names: Collection[str], parameters: Sequence[str]
    ) -> None:
        self._bindings = Bindings()
        self._parser = Parser(found, names, self._bindings.read)
        self._parameters = parameters

    def program(self) -> CProgram:
        """Read to the end."""
        function = False
        while (token := self._parser.peek()).kind != "end":
            if self._begins_a_function():
                if function:
                    raise NotUnderstood(fact("layout.second-function"), *token.place)
                self._function()
                function = True
            elif function:
                what = fact("layout.after-the-function", text=shorten(token.text))
                raise NotUnderstood(what, *token.place, fact("layout.leave-out"))
            else:
                self._statement()
        return self._bindings.program(token.place)

    # Functions

    def _begins_a_function(self) -> bool:
        """Return True at qualifiers and a type, if a name and a parenthesis follow."""
        ahead = 0
        while self._parser.peek(ahead).kind == "name":
            ahead += 1
        return ahead > 1 and self._parser.peek(ahead).text == "("

    def _function(self) -> None:
        self._qualifiers()
        returned, name = self._type(), self._parser.next()
        self._bindings.declare_result(returned)
        self._parser.expect("(")
        with self._bindings.scope():
            count = 0
            while not self._parser.take(")"):
                if count:
                    self._parser.expect(",")
                self._parameter(count)
                count += 1
            if count != len(self._parameters):
                what = fact("layout.parameter-count", name=shorten(name.text), n=count)
                wanted = write(f"int index({self._typed_parameters()}) {{ … }}")
                raise NotUnderstood(what, *name.place, wanted)
            self._block()

    def _parameter(self, position: int) -> None:
        """Declare a parameter; those the function is called with have a value."""
        self._qualifiers()
        ctype, parameter = self._type(), self._variable_name()
        self._bindings.declare(parameter, ctype)
        if position < len(self._parameters):
            self._bindings.assign(parameter, Name(parameter.place, self._parameters[position]))

    def _typed_parameters(self) -> str:
        return ", ".join(f"int {parameter}" for parameter in self._parameters)

    def _qualifiers(self) -> bool:
        """Take what precedes a type; return True if the value is constant."""
        constant = False
        while self._parser.peek().text in _QUALIFIERS:
            constant |= self._parser.next().text in ("const", "constexpr")
        return constant

    def _type(self) -> CType | None:
        """Take a type; None for `auto`."""
        if self._parser.take("auto"):
            return None
        token = self._parser.peek()
        ctype = self._parser.type()
        if ctype is None and token.kind == self._parser.peek(1).kind == "name":
            raise NotUnderstood(unavailable_type(token.text), *token.place)
        if ctype is None:
            raise NotUnderstood(fact("layout.type-missing"), *token.place, write("int"))
        if self._parser.peek().text in ("*", "&"):
            raise NotUnderstood(fact("layout.no-pointers"), *self._parser.peek().place)
        self._qualifiers()
        return ctype

    # Statements

    def _block(self) -> None:
        self._parser.expect("{")
        with self._bindings.scope():
            while not self._parser.take("}"):
                if self._parser.peek().kind == "end":
                    self._parser.expect("}")
                self._statement()

    def _statement(self) -> None:
        token = self._parser.peek()
        self._refuse(token)
        if token.text == "{":
            self._block()
        elif self._parser.take(";"):
            pass
        elif self._parser.take("if"):
            self._if(token.place)
        elif self._parser.take("return"):
            self._return(token.place)
        elif self._begins_a_declaration():
            self._declaration()
        else:
            self._assignment()

    def _refuse(self, token: Token) -> None:
        """Refuse a statement that C has and an index cannot."""
        if token.text in _LOOPS:
            raise NotUnderstood(fact("layout.no-c-loop"), *token.place)
        instead: Fact | None = _REFUSED.get(token.text)
        if token.text in _FUNCTIONS_ONLY:
            instead = fact("layout.plain-function", parameters=self._typed_parameters())
        if instead is not None:
            raise NotUnderstood(unavailable(token.text), *token.place, instead)

    def _if(self, place: SourcePlace) -> None:
        self._parser.expect("(")
        test = self._parser.expression()
        self._parser.expect(")")
        yes, no = self._bindings.branch(place, test)
        with self._bindings.branch_scope(yes):
            self._statement()
        if self._parser.take("else"):
            with self._bindings.branch_scope(no):
                self._statement()

    def _return(self, place: SourcePlace) -> None:
        if self._parser.peek().text == ";":
            raise NotUnderstood(fact("layout.returns-nothing"), *place)
        value = self._parser.expression()
        if self._parser.peek().text == ",":
            raise NotUnderstood(fact("layout.comma"), *self._parser.peek().place)
        self._parser.expect(";")
        self._bindings.leave(place, value)

    def _begins_a_declaration(self) -> bool:
        """Return True at a qualifier, a type, or two names in a row."""
        first, second = self._parser.peek(), self._parser.peek(1)
        if first.text in _QUALIFIERS or (first.text in TYPE_WORDS and second.text != "("):
            return True
        return first.kind == "name" and second.kind == "name"

    def _declaration(self) -> None:
        self._refuse_arrays()
        constant = self._qualifiers()
        ctype = self._type()
        while True:
            name = self._variable_name()
            if self._parser.peek().text == "[":
                raise NotUnderstood(_NO_ARRAYS, *name.place, _INDEX_ONLY)
            value = self._parser.expression() if self._parser.take("=") else None
            self._bindings.declare(name, ctype, constant=constant)
            if value is not None:
                self._bindings.assign(name, value)
            if not self._parser.take(","):
                break
        self._parser.expect(";")

    def _refuse_arrays(self) -> None:
        """Refuse an array before its type is read: none is available, whatever the type."""
        ahead = 0
        while (token := self._parser.peek(ahead)).kind == "name":
            ahead += 1
        if token.text == "[":
            name = self._parser.peek(ahead - 1)
            raise NotUnderstood(_NO_ARRAYS, *name.place, _INDEX_ONLY)
        first = self._parser.peek()
        if first.text in _MEMORY:
            instead = fact("layout.local-variable")
            raise NotUnderstood(unavailable(first.text), *first.place, instead)

    def _variable_name(self) -> Token:
        token = self._parser.next()
        if token.kind != "name" or not token.text.isidentifier():
            raise NotUnderstood(fact("layout.name-missing"), *token.place)
        return token

    def _assignment(self) -> None:
        """Read `x = …;`, `x += …;`, `x++;`, `++x;`."""
        step = self._parser.peek()
        before = step.text in ("++", "--") and bool(self._parser.next())
        name = self._parser.peek()
        if name.kind == "name" and self._parser.peek(1).text == "[":
            raise NotUnderstood(fact("layout.no-array-here"), *name.place, _INDEX_ONLY)
        if name.kind != "name" or (not before and self._parser.peek(1).text not in _ASSIGNS):
            raise self._no_statement()
        self._parser.next()
        operator = step if before else self._parser.next()
        self._bindings.check_assignable(name)
        value = self._new_value(name, operator)
        self._parser.expect(";")
        self._bindings.assign(name, value)

    def _new_value(self, name: Token, operator: Token) -> Node:
        """Read what an assignment by `operator` gives its variable."""
        if operator.text == "=":
            return self._parser.expression()
        old = self._bindings.read(name)
        assert old is not None
        if operator.text in ("++", "--"):
            by: Node = IntegerLiteral(operator.place, 1, INT)
        else:
            by = self._parser.expression()
        return Binary(operator.place, operator.text[:-1], old, by)

    def _no_statement(self) -> NotUnderstood:
        """Make the error for what begins here and is not a statement: usually an expression."""
        place = self._parser.peek().place
        self._parser.expression()
        after = self._parser.peek()
        if after.text not in (";", "}") and after.kind != "end":
            return self._parser.unexpected_token(after)
        return NotUnderstood(fact("layout.value-not-used"), *place, write("return … ;"))
