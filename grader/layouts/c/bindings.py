"""Turns the assignments of C statements into bindings, each with the condition it happens under.

Under an `if`, and after a `return`, an assignment is `condition ? new : old`, so no statement needs
to be interpreted. Owns scopes and conditions; knows no syntax.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from grader.facts import Fact, fact
from grader.layouts.c.nodes import (
    Binary,
    Binding,
    Cast,
    Conditional,
    CProgram,
    GuardedName,
    IntegerLiteral,
    Name,
    Node,
    SourcePlace,
    Unary,
)
from grader.layouts.c.tokens import Token
from grader.layouts.c.types import INT, CType
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import shorten, write

_RESULT = "return"
"""The variable that holds what is returned; no source can spell it as a name."""

_NOTHING_RETURNED = fact("layout.nothing-returned")


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the source.

    Attributes:
        type: None for `auto`.
        constant: True if it cannot be assigned to.
        binding: what holds its value; None if it has none yet.
        flag: the binding that is true in the elements with a value; None if all have one.
    """

    type: CType | None
    constant: bool = False
    binding: str | None = None
    flag: str | None = None


class Bindings:
    """The variables in scope, and the elements that reach the current statement.

    `_path` is the condition of all enclosing `if`, `_alive` that of not having returned; None: all
    elements.
    """

    def __init__(self) -> None:
        self._bindings: list[Binding] = []
        self._scopes: list[dict[str, Variable]] = [{_RESULT: Variable(None)}]
        self._path: Name | None = None
        self._alive: Name | None = None

    def program(self, place: SourcePlace) -> CProgram:
        """Make the program of all bindings, which ends at `place`.

        Raises:
            NotUnderstood: no statement returns.
        """
        result = self.read(Token("name", _RESULT, place))
        if result is None:
            raise NotUnderstood(_NOTHING_RETURNED, *place, write("return …;"))
        return CProgram((result,), tuple(self._bindings))

    # Scopes

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Open a scope: what is declared in it ends with it."""
        self._scopes.append({})
        yield
        self._scopes.pop()

    def declare(self, name: Token, ctype: CType | None, *, constant: bool = False) -> None:
        """Add a variable without a value to the innermost scope.

        Raises:
            NotUnderstood: the scope has one of this name.
        """
        if name.text in self._scopes[-1]:
            what = fact("layout.declared-twice", name=shorten(name.text))
            raise NotUnderstood(what, *name.place)
        self._scopes[-1][name.text] = Variable(ctype, constant)

    def declare_result(self, ctype: CType | None) -> None:
        """Set the type of what is returned."""
        self._scopes[0][_RESULT] = Variable(ctype)

    def check_assignable(self, name: Token) -> None:
        """Refuse a name that cannot be assigned to.

        Raises:
            NotUnderstood: it is not declared, or constant.
        """
        variable = self._find(name.text)
        shown = shorten(name.text)
        if variable is None:
            raise NotUnderstood(fact("layout.not-declared", name=shown), *name.place)
        if variable.constant:
            raise NotUnderstood(fact("layout.constant", name=shown), *name.place)

    # Values

    def read(self, token: Token) -> Node | None:
        """Return the value of a variable; None if there is no such variable.

        Raises:
            NotUnderstood: it has no value in any element.
        """
        variable = self._find(token.text)
        if variable is None:
            return None
        if variable.binding is None:
            if token.text == _RESULT:
                return None
            raise NotUnderstood(
                _no_value(token.text), *token.place, write(f"int {shorten(token.text)} = …;")
            )
        if variable.flag is None:
            return Name(token.place, variable.binding)
        return GuardedName(token.place, variable.binding, variable.flag, _no_value(token.text))

    def assign(self, name: Token, value: Node) -> None:
        """Give a variable a value in the elements that reach this statement."""
        scope = next(scope for scope in reversed(self._scopes) if name.text in scope)
        variable, place = scope[name.text], name.place
        here = self._bind_condition(place)
        value = _convert(value, variable)
        flag = None
        if here is not None:
            value = Conditional(place, here, value, _old_value(place, variable))
            flag = self._flag(place, variable, here)
        binding = self._bind(name.text, place, value).name
        scope[name.text] = replace(variable, binding=binding, flag=flag)

    def leave(self, place: SourcePlace, value: Node) -> None:
        """Return a value in the elements that reach this statement; no later one sees them."""
        self.assign(Token("name", _RESULT, place), value)
        flag = self._scopes[0][_RESULT].flag
        gone: Node = IntegerLiteral(place, 1, INT) if flag is None else Name(place, flag)
        self._alive = self._bind("alive", place, Unary(place, "!", gone))

    # Conditions

    def branch(self, place: SourcePlace, test: Node) -> tuple[Name, Name]:
        """Bind the conditions of the two branches of an `if`."""
        here = self._bind_condition(place)
        truth = Binary(place, "!=", test, IntegerLiteral(place, 0, INT))
        yes = self._bind("if", place, _combine(place, here, truth))
        return yes, self._bind("else", place, _combine(place, here, Unary(place, "!", yes)))

    @contextmanager
    def branch_scope(self, condition: Name) -> Iterator[None]:
        """Read statements that only the elements of a branch reach, in a scope of their own."""
        before, self._path = self._path, condition
        with self.scope():
            yield
        self._path = before

    def _bind_condition(self, place: SourcePlace) -> Name | None:
        """Bind the condition of the elements that reach this statement; None: all."""
        if self._path is None or self._alive is None:
            return self._path or self._alive
        return self._bind("here", place, Binary(place, "&&", self._path, self._alive))

    def _flag(self, place: SourcePlace, variable: Variable, here: Name) -> str | None:
        """Return the flag of a variable after an assignment under a condition."""
        if variable.binding is None:
            return here.name
        if variable.flag is None:
            return None
        return self._bind("flag", place, Binary(place, "||", Name(place, variable.flag), here)).name

    def _bind(self, name: str, place: SourcePlace, value: Node) -> Name:
        """Bind a value under a name that no source can spell."""
        self._bindings.append(Binding(f"{name}#{len(self._bindings)}", value))
        return Name(place, self._bindings[-1].name)

    def _find(self, name: str) -> Variable | None:
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), None)


def _no_value(name: str) -> Fact:
    """State that a variable has no value, or the function none that it returns."""
    return _NOTHING_RETURNED if name == _RESULT else fact("layout.no-value", name=shorten(name))


def _old_value(place: SourcePlace, variable: Variable) -> Node:
    """Return the value before an assignment; 0 if it had none: no element uses it."""
    known = variable.binding
    old: Node = IntegerLiteral(place, 0, INT) if known is None else Name(place, known)
    return _convert(old, variable)


def _convert(value: Node, variable: Variable) -> Node:
    return value if variable.type is None else Cast(value.place, variable.type, value)


def _combine(place: SourcePlace, here: Name | None, test: Node) -> Node:
    return test if here is None else Binary(place, "&&", here, test)
