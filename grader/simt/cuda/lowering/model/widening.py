"""Float operations that a constant of type double makes double, as `x * 0.1` with a float x.

A compiler computes some of them in float nevertheless: a single sum, difference, product or
quotient whose result becomes a float at once, and comparisons, where the constant is exact in
float. nvcc 13.0 does so, and does not for `max` and other functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.facts import Fact, fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.model.types import DOUBLE, FLOAT
from grader.simt.cuda.lowering.model.values import Plain
from grader.simt.cuda.places import Place
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression

_ARITHMETIC = ("+", "-", "*", "/")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(eq=False, slots=True)
class FloatWidening:
    """The operations of one function that a constant makes double.

    Attributes:
        found: what happens, by the places of the operations.
    """

    found: dict[Place, Fact] = field(default_factory=dict)
    _narrow: dict[int, tuple[Expression, Place]] = field(default_factory=dict)
    """Results, by the `id` of their nodes, that are computed in float if they become one."""

    def note_operation(
        self, node: syntax.Node, operator: str, operands: Sequence[Plain], result: Expression
    ) -> None:
        """Note an operator that is applied in double."""
        constant = _find_constant(operands)
        if constant is None:
            return
        exact = float(np.float32(constant)) == constant
        if exact and operator in _COMPARISONS:
            return
        self.found[node.place] = fact(
            "finding.double-constant", operator=operator, value=repr(constant)
        )
        if exact and operator in _ARITHMETIC:
            self._narrow[id(result)] = result, node.place

    def note_call(self, node: syntax.Node, function: str, operands: Sequence[Plain]) -> None:
        """Note a function of CUDA that is called in double."""
        constant = _find_constant(operands)
        if constant is not None:
            self.found[node.place] = fact(
                "finding.double-constant.call", function=function, value=repr(constant)
            )

    def note_negation(self, operand: Expression, result: Expression) -> None:
        """Note that a result is the negative of another."""
        if id(operand) in self._narrow:
            self._narrow[id(result)] = result, self._narrow[id(operand)][1]

    def note_float(self, result: Expression) -> None:
        """Note that a result becomes a float."""
        _, place = self._narrow.pop(id(result), (None, None))
        if place is not None:
            self.found.pop(place, None)


def _find_constant(operands: Sequence[Plain]) -> float | None:
    """Return the constant among the operands, if it is a double and another is a float."""
    if not any(each.type == FLOAT for each in operands):
        return None
    constants = (
        float(each.node.value)
        for each in operands
        if each.type == DOUBLE and isinstance(each.node, nodes.Number)
    )
    return next(constants, None)
