"""Makes a kernel ready for its arguments' types, and the functions it calls for theirs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.simt.masks import Mask
from grader.simt.source import Explicit, Function
from grader.simt.specialisation import Program
from grader.simt.statements import Statements
from grader.simt.turns import settled
from grader.simt.typed import Execute, Frame, Typed, Value, as_type, cast
from grader.simt.types import Conflict, Constant, Nothing, Scalar, Type, described, joined, number
from grader.simt.typing_rules import EXACT, UNSAFE, rank, rating

_DEEPEST = 30


@dataclass(frozen=True, eq=False)
class Made:
    """A function for one list of argument types.

    Attributes:
        result: type of what it returns.
        body: executes it; what is returned is left in the frame.
        stored: parameters it writes to.
    """

    result: Type
    body: Execute
    stored: frozenset[str]


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel that can be launched with arguments of its types."""

    function: Function
    program: Program
    made: Made


def kernel(function: Function, types: Sequence[Type]) -> Kernel:
    """Make a kernel ready.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    program = Program(made, function.path)
    result = made(program, function, tuple(types), is_kernel=True)
    if result.result != Nothing():
        raise function.refused(
            function.node,
            f"a kernel returns nothing, this one returns {described(result.result)}",
            "write to an array",
        )
    return Kernel(function, program, result)


def made(
    program: Program, function: Function, types: tuple[Type, ...], *, is_kernel: bool = False
) -> Made:
    """A function for its argument types; made once for each list of them.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    args = function.node.args
    if args.vararg or args.kwarg or args.kwonlyargs:
        raise function.refused(function.node, "parameters are names, without *", "name each one")
    if len(types) != len(function.parameters):
        takes = f"{function.name} takes {len(function.parameters)} arguments, not {len(types)}"
        raise function.refused(function.node, takes)
    key = (id(function), types)
    if key not in program.made:
        env = dict(zip(function.parameters, types, strict=True))
        work = _Work(program, function, env, is_kernel=is_kernel)
        program.made[key] = function, work.make()
    result: Made = program.made[key][1]
    return result


class _Work(Statements):
    """Makes one function; `call` makes those it calls."""

    def make(self) -> Made:
        body = _whole(self.block(self.function.node.body))
        result: Type = Nothing()
        falls_through = self.env is not None
        for place, kind in enumerate(self.returns):
            result = kind if place == 0 else joined(result, kind)
        if isinstance(result, Conflict) or (falls_through and result != Nothing()):
            what = f"{self.function.name} returns {described(result)} on one way"
            raise self.not_typed(self.function.node, f"{what} and something else on another")
        if isinstance(result, Constant):
            result = number(result) or result
        return Made(result, body, frozenset(self.stored))

    def call(self, node: ast.Call, function: Function, given: list[Typed]) -> Typed:
        """A function of the person's own: its threads are those that call it."""
        if function in self.program.under_way or len(self.program.under_way) > _DEEPEST:
            raise self.refused(node, f"{function.name} calls itself", "write a loop")
        explicit = self._explicit(node, function, given)
        if explicit is not None:
            given = [_taken(*pair) for pair in zip(given, explicit.operands, strict=True)]
        types = tuple(one.type for one in given)  # constants stay: they may be shapes
        self.program.under_way.append(function)
        try:
            callee: Made = made(self.program, function, types)
        finally:
            self.program.under_way.pop()
        for name, argument in zip(function.parameters, self.in_order(node, function), strict=True):
            if name in callee.stored:
                kind = types[function.parameters.index(name)]
                self.note_stored(argument, kind)  # type: ignore[arg-type]
        result = Typed(callee.result, _calling(function, callee, given))
        return result if explicit is None else _taken(result, explicit.result)

    def _explicit(
        self, node: ast.Call, function: Function, given: Sequence[Typed]
    ) -> Explicit | None:
        """Of the signatures that a device function was compiled for, the one that takes these."""
        rated = []
        for place, one in enumerate(function.signatures):
            pairs = zip(given, one.operands, strict=False)
            ranks = [_rank(number(typed.type), wanted) for typed, wanted in pairs]
            if len(given) == len(one.operands) and max(ranks, default=EXACT) <= UNSAFE:
                rated.append((rating(ranks), place))
        if rated:
            return function.signatures[min(rated)[1]]
        if function.signatures:
            kinds = ", ".join(described(one.type) for one in given)
            raise self.not_typed(node, f"no signature of {function.name} takes {kinds}")
        return None


def _rank(given: Scalar | None, wanted: Scalar | None) -> int:
    return EXACT if given is None or wanted is None else rank(given, wanted)


def _taken(typed: Typed, wanted: Scalar | None) -> Typed:
    """A number as one of the signature's type; anything else as it is."""
    if wanted is None or number(typed.type) is None:
        return typed
    return Typed(wanted, cast(typed, wanted))


def _whole(body: Execute) -> Execute:
    """A function's body: all threads come out of it together."""
    return lambda frame, mask: settled(frame, mask, body(frame, mask))


def _calling(
    function: Function, callee: Made, given: Sequence[Typed]
) -> Callable[[Frame, Mask], Value]:
    arguments = list(zip(function.parameters, given, strict=True))
    result, body = callee.result, callee.body

    def call(frame: Frame, mask: Mask) -> Value:
        values = {name: one.evaluate(frame, mask) for name, one in arguments}
        inner = Frame(frame.chunk, values)
        body(inner, mask)
        return as_type(inner.result, result)

    return call
