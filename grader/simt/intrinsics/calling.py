"""How an entry of the tables is made: arguments typed and converted, a function applied."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Protocol

from grader.simt.chunk import OPERATION
from grader.simt.counters import Site
from grader.simt.errors import Refused
from grader.simt.source import Function
from grader.simt.specialisation import Program
from grader.simt.typed import Evaluate, Frame, Typed, Value, cast
from grader.simt.types import Array, Constant, Scalar, Tuple, Type, described, number
from grader.simt.typing_rules import resolve

_FUNCTION = 20
"""Operations of a function, for each value."""


class Maker(Protocol):
    """What an entry needs of the function that is being made; see `expressions.Expressions`."""

    program: Program
    function: Function
    unused: ast.expr | None
    naming: str

    def value(self, node: ast.expr) -> Typed: ...  # noqa: D102
    def number(self, node: ast.expr) -> tuple[Typed, Scalar]: ...  # noqa: D102
    def dtype(self, node: ast.AST, kind: Type) -> Scalar: ...  # noqa: D102
    def truth(self, node: ast.expr) -> Evaluate: ...  # noqa: D102
    def item(self, typed: Typed, place: int) -> Typed: ...  # noqa: D102
    def refused(self, node: ast.AST, what: str, instead: str = "") -> Refused: ...  # noqa: D102
    def not_typed(self, node: ast.AST, what: str, instead: str = "") -> Refused: ...  # noqa: D102
    def site(self, node: ast.AST) -> Site: ...  # noqa: D102
    def warn(self, node: ast.AST, topic: str, message: str, hint: str = "") -> None: ...  # noqa: D102
    def operation(self, node: ast.AST, operator: str, left: Typed, right: Typed) -> Typed: ...  # noqa: D102
    def subscripts(self, node: ast.AST, typed: list[Typed]) -> list[Evaluate]: ...  # noqa: D102
    def note_stored(self, node: ast.expr, kind: Array) -> None: ...  # noqa: D102
    def narrowed(self, node: ast.AST, typed: Typed, dtype: Scalar) -> Evaluate: ...  # noqa: D102
    def note_widening(  # noqa: D102
        self, node: ast.AST, operator: str, result: Scalar, operands: tuple[Type, ...]
    ) -> None: ...
    def declare(  # noqa: D102
        self, node: ast.AST, label: str, dtype: Scalar, shape: tuple[int, ...], space: str
    ) -> Any: ...


Intrinsic = Callable[[Maker, ast.Call], Typed]
Special = Callable[[], Typed]
Table = dict[str, Intrinsic]


def arguments(
    maker: Maker, node: ast.Call, name: str, *takes: int, named: tuple[str, ...] = ()
) -> list[ast.expr]:
    """The arguments by place, as many as one of `takes`.

    Args:
        maker: of the function that is being made.
        node: the call.
        name: what is called, for the message.
        takes: how many arguments there may be.
        named: what they are called, where they may be given by name.
    """
    given = list(node.args)
    by_name = {one.arg: one.value for one in node.keywords}
    for wanted in named[len(given) :]:
        if wanted not in by_name:
            break
        given.append(by_name.pop(wanted))
    if by_name or len(given) not in takes:
        counts = " or ".join(map(str, takes))
        raise maker.refused(node, f"{name} takes {counts} arguments", f"write {name}(…)")
    return given


def elementwise(name: str, rule: str, apply: Callable[..., Any], count: int = 1) -> Intrinsic:
    """A function of one value in, one value out, typed by a rule of `typing_rules`."""

    def make(maker: Maker, node: ast.Call) -> Typed:
        given = [maker.number(one) for one in arguments(maker, node, name, count)]
        signature = resolve(rule, *(dtype for _, dtype in given))
        if signature is None:
            kinds = ", ".join(dtype.name for _, dtype in given)
            raise maker.not_typed(node, f"no {name} for {kinds}")
        maker.note_widening(node, name, signature.result, tuple(one.type for one, _ in given))
        operands = [
            cast(one, dtype) for (one, _), dtype in zip(given, signature.operands, strict=True)
        ]
        return Typed(signature.result, applied(apply, operands, signature.result))

    return make


def applied(apply: Callable[..., Any], operands: list[Evaluate], result: Scalar) -> Evaluate:
    """Operands evaluated and handed over; the result as `result`."""

    def evaluate(frame: Frame, mask: Any) -> Value:
        value = apply(*(one(frame, mask) for one in operands))
        frame.chunk.charge(OPERATION + _FUNCTION * value.size)
        return value if value.dtype == result else value.astype(result)

    return evaluate


def constant_of(maker: Maker, node: ast.expr, what: str) -> int:
    """A whole number that is known before the kernel runs."""
    typed = maker.value(node)
    if not isinstance(typed.type, Constant):
        raise maker.not_typed(node, f"{what} must be a constant", "write a number or a global name")
    return typed.type.value


def shape_of(maker: Maker, node: ast.expr) -> tuple[int, ...]:
    """A constant shape: a number, or a tuple of them."""
    typed = maker.value(node)
    parts = typed.type.items if isinstance(typed.type, Tuple) else (typed.type,)
    sizes = []
    for part in parts:
        if not isinstance(part, Constant):
            what = f"the shape must be constant, and this is {described(part)}"
            instead = "compute it outside of the kernel, into a global name"
            raise maker.not_typed(node, what, instead)
        if part.value < 0:
            raise maker.refused(node, f"the shape has a negative size, {part.value}")
        sizes.append(part.value)
    return tuple(sizes)


def numbers(maker: Maker, nodes: list[ast.expr]) -> list[tuple[Typed, Scalar]]:
    """Arguments that are numbers, or tuples of numbers taken apart."""
    found: list[tuple[Typed, Scalar]] = []
    for node in nodes:
        typed = maker.value(node)
        if isinstance(typed.type, Tuple):
            for place in range(len(typed.type.items)):
                part = maker.item(typed, place)
                found.append((part, maker.dtype(node, part.type)))
        else:
            found.append((typed, maker.dtype(node, typed.type)))
    return found


def is_number(kind: Type) -> bool:
    """Whether a type is a number's."""
    return number(kind) is not None
