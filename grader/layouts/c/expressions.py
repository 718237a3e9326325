"""Reads a C expression: a precedence parser. Owns the syntax of expressions, not arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from grader.facts import Fact, fact
from grader.layouts.c.nodes import (
    Binary,
    Call,
    Cast,
    Conditional,
    CProgram,
    Name,
    Node,
    SourcePlace,
    Unary,
)
from grader.layouts.c.tokens import Token, number
from grader.layouts.c.types import TYPES, CType
from grader.layouts.errors import WRITE_SHORTER, NotUnderstood
from grader.layouts.names import argument_count, not_callable, shorten, suggest, unknown_name, write

FUNCTIONS = {"min": 2, "max": 2, "abs": 1, "__brev": 1, "__popc": 1}
"""CUDA functions that can be called, with how many arguments they take."""

_AVAILABLE = fact("layout.available", names=tuple(FUNCTIONS))

_DEEPEST = 60
_MOST_OPERATIONS = 1000

_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PRECEDENCE = {operator: level for level, row in enumerate(_LEVELS, 1) for operator in row}

_INDEX = fact("layout.only-the-index")
_WORDS = {
    "and": write("&&"), "or": write("||"), "not": write("!"), "if": write("test ? yes : no"),
    "True": write("1"), "False": write("0"), "sizeof": fact("layout.write-bytes"),
    "pow": fact("layout.write-product"), "__shared__": _INDEX, "__constant__": _INDEX,
    "extern": _INDEX,
}  # fmt: skip
"""What to write instead of a word that C has not, or that has no place in an index."""

Variables = Callable[[Token], Node | None]
"""Returns the value of a variable of the source at a place; None if there is no such variable."""


def no_variables(_token: Token) -> None:
    """Find no variable: an expression by itself declares none."""


class Parser:
    """Takes expressions from `found`, one after the other; the last token is the `end`.

    Args:
        found: tokens.
        names: names that will have a value.
        variables: how to read the source's own variables.
    """

    def __init__(
        self, found: Sequence[Token], names: Collection[str], variables: Variables = no_variables
    ) -> None:
        self._tokens = found
        self._names = names
        self._variables = variables
        self._at = 0
        self._depth = 0
        self._operations = 0

    def parse_program(self) -> CProgram:
        """Read an element's index, `tile[i]` or `tile[i][j]`, or a pair `row, column`, to the end.

        Raises:
            NotUnderstood: with line, column and what to write instead.
        """
        element = self._element()
        indices = element or self._pair()
        token = self.next()
        if token.kind != "end":
            if element and token.text == "=":
                raise NotUnderstood(fact("layout.nothing-stored"), *token.place)
            raise _array_read(token.place) if element else self.unexpected_token(token)
        return CProgram(indices)

    def _pair(self) -> tuple[Node, ...]:
        """Read an expression, or two: `row, column`, as Python returns them."""
        wrapped = self._wraps_a_pair()
        if wrapped:
            self.next()
        indices = [self.expression()]
        if self.take(","):
            indices.append(self.expression())
        if wrapped:
            self.expect(")")
        return tuple(indices)

    def _wraps_a_pair(self) -> bool:
        """Return True if the first parenthesis holds a comma of its own and closes at the end."""
        depth, commas = 0, 0
        if self.peek().text != "(":
            return False
        for position, token in enumerate(self._tokens):
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            commas += token.text == "," and depth == 1
            if depth == 0:
                return commas > 0 and self._tokens[position + 1].kind == "end"
        return False

    def _element(self) -> tuple[Node, ...] | None:
        """Read `name[i]` or `name[i][j]`; None if something else is here."""
        if self.peek().kind != "name" or self._tokens[self._at + 1].text != "[":
            return None
        array, indices = self.next(), list[Node]()
        while self.take("["):
            indices.append(self.expression())
            self.expect("]")
        if len(indices) > 2:
            raise NotUnderstood(fact("layout.too-many-indices"), *array.place)
        return tuple(indices)

    # Tokens

    def peek(self, ahead: int = 0) -> Token:
        """Return the next token, or the one `ahead` tokens later."""
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def next(self) -> Token:
        """Take a token; the end stays."""
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def take(self, text: str) -> bool:
        """Take the next token if it is `text`."""
        taken = self.peek().text == text
        if taken:
            self.next()
        return taken

    def expect(self, text: str) -> None:
        """Take `text`.

        Raises:
            NotUnderstood: something else is here.
        """
        if not self.take(text):
            token = self.peek()
            raise NotUnderstood(fact("layout.missing", text=text), *token.place)

    def unexpected_token(self, token: Token) -> NotUnderstood:
        """Make the error for a token that no expression has here."""
        text, place = token.text, token.place
        if token.kind == "end":
            return NotUnderstood(fact("layout.ends-too-early"), *place)
        if text in ("++", "--") or (text.endswith("=") and text not in _PRECEDENCE):
            return NotUnderstood(fact("layout.expression-assigns"), *place)
        if text == "[":
            return _array_read(place)
        if text == ",":
            return NotUnderstood(fact("layout.too-many-numbers"), *place)
        if text == "*" and self._tokens[self._at - 2].text == "*":
            return NotUnderstood(fact("layout.no-power"), *place)
        return NotUnderstood(_describe_misplaced(text), *place, _WORDS.get(text))

    # Expressions

    def expression(self) -> Node:
        """Take an expression, without a comma.

        Raises:
            NotUnderstood: with line, column and what to write instead.
        """
        test = self._binary(1)
        place = self.peek().place
        if not self.take("?"):
            return test
        self._descend(place)
        yes = self.expression()
        self.expect(":")
        no = self.expression()
        self._depth -= 1
        return Conditional(place, test, yes, no)

    def _descend(self, place: SourcePlace) -> None:
        self._depth += 1
        self._operations += 1
        if self._depth > _DEEPEST or self._operations > _MOST_OPERATIONS:
            raise NotUnderstood(fact("source.nested-too-deeply"), *place, WRITE_SHORTER)

    def _binary(self, level: int) -> Node:
        left = self._unary()
        links = 0
        while (found := _PRECEDENCE.get(self.peek().text, 0)) >= level:
            operator = self.next()
            links += 1
            if links > _DEEPEST:
                raise NotUnderstood(fact("layout.too-long"), *operator.place, WRITE_SHORTER)
            self._descend(operator.place)
            left = Binary(operator.place, operator.text, left, self._binary(found + 1))
            self._depth -= 1
        return left

    def _unary(self) -> Node:
        token = self.next()
        if token.text in ("+", "-", "~", "!"):
            self._descend(token.place)
            operand = self._unary()
            self._depth -= 1
            return Unary(token.place, token.text, operand)
        if token.text == "(":
            return self._parenthesis(token.place)
        if token.kind == "number":
            return number(token)
        if token.kind == "name":
            return self._name(token)
        raise self._bracket(token) if token.text == "[" else self.unexpected_token(token)

    def _bracket(self, token: Token) -> NotUnderstood:
        """Make the error for a `[` where an operand is needed: a lambda, or Python's list."""
        ahead = 0
        while (inner := self.peek(ahead)).kind != "end" and inner.text != "]":
            ahead += 1
        if self.peek(ahead + 1).text in ("(", "{"):
            return NotUnderstood(fact("layout.no-c-lambda"), *token.place)
        return NotUnderstood(
            _describe_misplaced("["), *token.place, fact("layout.pair-without-brackets")
        )

    def _parenthesis(self, place: SourcePlace) -> Node:
        """Take `(type)operand` or `(expression)`."""
        self._descend(place)
        if (ctype := self.type()) is not None:
            self.expect(")")
            inner: Node = Cast(place, ctype, self._unary())
        else:
            inner = self.expression()
            self.expect(")")
        self._depth -= 1
        return inner

    def type(self) -> CType | None:
        """Take a type's name, of one word or several; None if something else is here.

        Raises:
            NotUnderstood: it is a type that an index cannot have.
        """
        words: list[str] = []
        while self.peek().kind == "name" and self.peek().text in TYPE_WORDS:
            words.append(self.next().text)
        if not words:
            return None
        name = " ".join(words)
        if name not in TYPES:
            raise NotUnderstood(unavailable_type(name), *self.peek().place)
        return TYPES[name]

    def _name(self, token: Token) -> Node:
        called = self.peek().text == "("
        if called and token.text in TYPES:
            self.next()
            operand = self._parenthesis(token.place)
            return Cast(token.place, TYPES[token.text], operand)
        if called:
            return self._call(token)
        if self.peek().text == "[":
            raise _array_read(self.peek().place)
        if (variable := self._variables(token)) is not None:
            return variable
        if token.text not in self._names:
            instead = _WORDS.get(token.text) or suggest(token.text, sorted(self._names))
            raise NotUnderstood(unknown_name(token.text), *token.place, instead)
        return Name(token.place, token.text)

    def _call(self, token: Token) -> Node:
        if token.text not in FUNCTIONS:
            instead = _WORDS.get(token.text) or _AVAILABLE
            raise NotUnderstood(not_callable(token.text), *token.place, instead)
        self._descend(token.place)
        self.expect("(")
        arguments = [self.expression()]
        while self.take(","):
            arguments.append(self.expression())
        self.expect(")")
        self._depth -= 1
        if len(arguments) != FUNCTIONS[token.text]:
            what = argument_count(token.text, FUNCTIONS[token.text], len(arguments))
            raise NotUnderstood(what, *token.place)
        return Call(token.place, token.text, tuple(arguments))


def unavailable_type(name: str) -> Fact:
    """State that an index cannot have a type."""
    return fact("layout.unavailable-type", type=shorten(name))


def _describe_misplaced(text: str) -> Fact:
    return fact("layout.misplaced", text=shorten(text))


def _array_read(place: SourcePlace) -> NotUnderstood:
    return NotUnderstood(fact("layout.array-read"), *place)


TYPE_WORDS = {word for name in TYPES for word in name.split()} | {
    "char",
    "short",
    "float",
    "double",
}
