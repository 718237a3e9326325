"""Reads a C expression: a precedence parser. Owns the syntax, not the arithmetic."""

from __future__ import annotations

from collections.abc import Collection

from grader.layouts.c_nodes import (
    Binary,
    Call,
    Cast,
    CExpression,
    Conditional,
    Name,
    Node,
    Place,
    Unary,
)
from grader.layouts.c_tokens import SEVERAL_STEPS, Token, number, tokens
from grader.layouts.c_types import TYPES, CType
from grader.layouts.errors import NotUnderstood
from grader.layouts.python_refused import shortened, suggestion

FUNCTIONS = {"min": 2, "max": 2, "abs": 1, "__brev": 1, "__popc": 1}
"""CUDA functions that can be called, with how many arguments they take."""

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

_WORDS = {
    "and": "write &&", "or": "write ||", "not": "write !", "if": "write test ? yes : no",
    "True": "write 1", "False": "write 0", "sizeof": "write the number of bytes",
    "pow": "write << or *",
}  # fmt: skip


def read_c(source: str, names: Collection[str]) -> CExpression:
    """The expression of a source that is short and holds no NUL.

    Args:
        source: an element's index, `tile[i]` or `tile[i][j]`, whatever the array is called, or a
            pair `row, column`, in parentheses or not.
        names: variables that will have a value.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    return _Parser(tokens(source), names).whole()


class _Parser:
    def __init__(self, found: list[Token], names: Collection[str]) -> None:
        self._tokens = found
        self._names = names
        self._at = 0
        self._depth = 0
        self._operations = 0

    def whole(self) -> CExpression:
        element = self._element()
        indices = element or self._pair()
        token = self._next()
        if token.kind != "end":
            raise _value_read(token.place) if element else self._unexpected(token)
        return CExpression(indices)

    def _pair(self) -> tuple[Node, ...]:
        """An expression, or two: `row, column`, as they are returned in Python."""
        wrapped = self._wraps_a_pair()
        if wrapped:
            self._next()
        indices = [self._expression()]
        if self._take(","):
            indices.append(self._expression())
        if wrapped:
            self._expect(")")
        return tuple(indices)

    def _wraps_a_pair(self) -> bool:
        """Whether the first parenthesis holds a comma of its own and closes at the end."""
        depth, commas = 0, 0
        if self._peek().text != "(":
            return False
        for position, token in enumerate(self._tokens):
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            commas += token.text == "," and depth == 1
            if depth == 0:
                return commas > 0 and self._tokens[position + 1].kind == "end"
        return False

    def _element(self) -> tuple[Node, ...] | None:
        """`name[i]` or `name[i][j]`, if that is what stands here."""
        if self._peek().kind != "name" or self._tokens[self._at + 1].text != "[":
            return None
        array, indices = self._next(), list[Node]()
        while self._take("["):
            indices.append(self._expression())
            self._expect("]")
        if len(indices) > 2:  # noqa: PLR2004
            raise NotUnderstood("a tile has two indices at most", *array.place, "write tile[i][j]")
        return tuple(indices)

    # Tokens

    def _peek(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _take(self, text: str) -> bool:
        taken = self._peek().text == text
        if taken:
            self._next()
        return taken

    def _expect(self, text: str) -> None:
        if not self._take(text):
            token = self._peek()
            raise NotUnderstood(f"'{text}' is missing", *token.place)

    def _unexpected(self, token: Token) -> NotUnderstood:
        text, place = token.text, token.place
        if token.kind == "end":
            return NotUnderstood("the expression ends too early", *place)
        if text in ("++", "--") or (text.endswith("=") and text not in _PRECEDENCE):
            return NotUnderstood("an expression cannot assign", *place, SEVERAL_STEPS)
        if text == "[":
            return _value_read(place)
        if text == ",":
            return NotUnderstood("two numbers are the most", *place, "write row, col")
        if text == "*" and self._tokens[self._at - 2].text == "*":
            return NotUnderstood("C has no power", *place, "write << for powers of two, or *")
        return NotUnderstood(f"'{shortened(text)}' does not fit here", *place, _WORDS.get(text, ""))

    # Expressions

    def _expression(self) -> Node:
        test = self._binary(1)
        place = self._peek().place
        if not self._take("?"):
            return test
        self._deeper(place)
        yes = self._expression()
        self._expect(":")
        no = self._expression()
        self._depth -= 1
        return Conditional(place, test, yes, no)

    def _deeper(self, place: Place) -> None:
        self._depth += 1
        self._operations += 1
        if self._depth > _DEEPEST or self._operations > _MOST_OPERATIONS:
            raise NotUnderstood("nested too deeply", *place, "write a shorter expression")

    def _binary(self, level: int) -> Node:
        left = self._unary()
        links = 0
        while (found := _PRECEDENCE.get(self._peek().text, 0)) >= level:
            operator = self._next()
            links += 1
            if links > _DEEPEST:
                raise NotUnderstood("too long", *operator.place, "write a shorter expression")
            self._deeper(operator.place)
            left = Binary(operator.place, operator.text, left, self._binary(found + 1))
            self._depth -= 1
        return left

    def _unary(self) -> Node:
        token = self._next()
        if token.text in ("+", "-", "~", "!"):
            self._deeper(token.place)
            operand = self._unary()
            self._depth -= 1
            return Unary(token.place, token.text, operand)
        if token.text == "(":
            return self._parenthesis(token.place)
        if token.kind == "number":
            return number(token)
        if token.kind == "name":
            return self._name(token)
        raise self._unexpected(token)

    def _parenthesis(self, place: Place) -> Node:
        """`(type)operand` or `(expression)`."""
        self._deeper(place)
        if (ctype := self._type()) is not None:
            self._expect(")")
            inner: Node = Cast(place, ctype, self._unary())
        else:
            inner = self._expression()
            self._expect(")")
        self._depth -= 1
        return inner

    def _type(self) -> CType | None:
        """A type's name, of one word or several; None, and nothing taken, if it is none."""
        words: list[str] = []
        while self._peek().kind == "name" and self._peek().text in _TYPE_WORDS:
            words.append(self._next().text)
        if not words:
            return None
        name = " ".join(words)
        if name not in TYPES:
            place = self._peek().place
            raise NotUnderstood(f"the type {name} is not available", *place, f"{_KNOWN_TYPES}")
        return TYPES[name]

    def _name(self, token: Token) -> Node:
        called = self._peek().text == "("
        if called and token.text in TYPES:
            self._next()
            operand = self._parenthesis(token.place)
            return Cast(token.place, TYPES[token.text], operand)
        if called:
            return self._call(token)
        if self._peek().text == "[":
            raise _value_read(self._peek().place)
        if token.text not in self._names:
            instead = _WORDS.get(token.text) or suggestion(token.text, sorted(self._names))
            raise NotUnderstood(
                f"the name {shortened(token.text)} is not known", *token.place, instead
            )
        return Name(token.place, token.text)

    def _call(self, token: Token) -> Node:
        if token.text not in FUNCTIONS:
            instead = _WORDS.get(token.text) or f"available: {', '.join(FUNCTIONS)}"
            raise NotUnderstood(f"{shortened(token.text)} cannot be called", *token.place, instead)
        self._deeper(token.place)
        self._expect("(")
        arguments = [self._expression()]
        while self._take(","):
            arguments.append(self._expression())
        self._expect(")")
        self._depth -= 1
        if len(arguments) != FUNCTIONS[token.text]:
            takes = f"{token.text} takes {FUNCTIONS[token.text]} arguments"
            raise NotUnderstood(f"{takes}, not {len(arguments)}", *token.place)
        return Call(token.place, token.text, tuple(arguments))


def _value_read(place: Place) -> NotUnderstood:
    what = "a value read from an array is not known here"
    return NotUnderstood(what, *place, "write the place: tile[i][j], alone")


_TYPE_WORDS = {word for name in TYPES for word in name.split()} | {
    "char",
    "short",
    "float",
    "double",
}
_KNOWN_TYPES = "available: int, unsigned, long long, unsigned long long, size_t"
